import type { Context } from '../context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { countRunnablePages } from '../pages/site-page-store.ts';
import { lockSuiteRuns } from '../runs/run-store.ts';
import type { PullRequestKey } from '../runs/run.ts';
import { draftSiteRun, openRun } from '../runs/start-run.ts';
import type { Suite } from '../suites/suite.ts';
import { hasRunAfterMerge } from './pull-request-run-store.ts';
import { findPullRequest } from './pull-request-store.ts';

/**
 * Starts a MANUAL run of the suite's own site, once per merge. No user is stored as its starter.
 * @returns null when the merge already had its run, or the suite has no tracked page.
 */
export async function startRunAfterMerge(
  ctx: Pick<Context, 'db'>,
  suite: Suite,
  merge: PullRequestKey & { sha: string },
): Promise<string | null> {
  return inTransaction(ctx.db, async (trx) => {
    await lockSuiteRuns(trx, suite.id);
    if ((await hasRunAfterMerge(trx, suite.id, merge)) || (await countRunnablePages(trx, suite.id)) === 0) return null;
    const gitTitle = (await findPullRequest(trx, merge))?.title ?? null;
    const of = { gitPrNumber: merge.number, gitHeadSha: merge.sha, gitTitle };
    const run = await openRun(trx, draftSiteRun(suite, { trigger: 'MERGE', ...of }));
    return run.id;
  });
}
