import type { Context } from '../context.ts';
import type { PullRequestKey, PullRequestRun } from './pull-request-run.ts';
import { findNewestAttempts } from './pull-request-run-store.ts';

/** The last run of each suite at a head of a pull request. */
export async function newestAttempts(
  { db }: Pick<Context, 'db'>,
  head: PullRequestKey & { headSha: string },
): Promise<PullRequestRun[]> {
  return findNewestAttempts(db, head);
}
