import type { Context } from '../../context.ts';
import type { PullRequestKey } from '../../runs/run.ts';
import { hasSummaryCheck, linkedSuites, type LinkedSuite } from '../../suites/linked-suites.ts';
import { findPullRequest, findTold } from '../pull-request-store.ts';
import type { CommentShown, PullRequest, SummaryShown } from '../pull-request.ts';
import type { RunCheck } from './check.ts';
import { readNewestCheck } from './run-check.ts';

/** An active suite with its last run of the pull request's head. */
type SuiteAtHead = LinkedSuite & { check: RunCheck };

/** Everything that a pull request may show besides the checks of its suites. */
export type ToldOnPullRequest = {
  pullRequest: PullRequest;
  installationId: number;
  suites: SuiteAtHead[];
  /** Whether a suite wants a check over all of them. */
  hasSummary: boolean;
  comment: CommentShown | null;
  summary: SummaryShown | null;
};

/**
 * All runs of a head begin in one transaction. So a suite that has no run at the head was linked later, and counts from
 * the next push. Null: nothing is shown, and nothing has to be.
 */
export async function readTold(
  ctx: Pick<Context, 'db' | 'config'>,
  key: PullRequestKey,
): Promise<ToldOnPullRequest | null> {
  const pullRequest = await findPullRequest(ctx.db, key);
  if (pullRequest === null) return null;
  const linked = await linkedSuites(ctx, pullRequest);
  const told = await findTold(ctx.db, pullRequest);
  const hasSummary = hasSummaryCheck(linked.map(({ suite }) => suite));
  const isWanted = hasSummary || linked.some(({ suite }) => suite.config.pullRequestComment);
  if (!isWanted && told.summary === null) return null;
  const suites: SuiteAtHead[] = [];
  for (const each of linked) {
    const check = await readNewestCheck(ctx.db, each.suite.id, pullRequest);
    if (check !== null) suites.push({ ...each, check });
  }
  const installationId = suites[0]?.check.installationId ?? pullRequest.installationId;
  return { pullRequest, installationId, suites, hasSummary, ...told };
}
