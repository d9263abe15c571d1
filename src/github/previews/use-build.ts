import type { Context } from '../../context.ts';
import { inTransaction, type Db } from '../../db/database.ts';
import { findNewestAttempt } from '../../pull-requests/pull-request-run-store.ts';
import { WITHOUT_PREVIEW, type PullRequestRun } from '../../pull-requests/pull-request-run.ts';
import { findOpenPullRequestsAt } from '../../pull-requests/pull-request-store.ts';
import { queuePreviewSearches, startPullRequestRun } from '../../pull-requests/start-pull-request-run.ts';
import { findBuild, findBuildOfCommit } from '../../runs/builds/build-store.ts';
import { cancelInFlight } from '../../runs/end-run.ts';
import { findRun } from '../../runs/run-store.ts';
import { isInFlight } from '../../runs/run.ts';
import { findLinkedSuite } from '../../suites/linked-suites.ts';
import { findSuite } from '../../suites/suite-store.ts';
import { toRepositoryKey } from '../../suites/suite.ts';

/** Whether the head's last attempt captures something else than the newest build of its commit. */
async function isReplaced(trx: Db, { id, testSuiteId, headSha, enqueued }: PullRequestRun): Promise<boolean> {
  const [run, newest] = [await findRun(trx, id), await findBuildOfCommit(trx, testSuiteId, headSha)];
  if (!enqueued || run === null || newest === null) return false;
  const captured = run.buildId === null ? null : await findBuild(trx, testSuiteId, run.buildId);
  return captured?.digest !== newest.digest;
}

/**
 * Job: a build of a commit was uploaded. Runs that wait for its preview search again; those that found none, or capture
 * something else, get another attempt. A pull request that is unknown so far finds the build when its event arrives.
 */
export async function useBuild(
  ctx: Pick<Context, 'db' | 'config' | 'clock'>,
  { suiteId, headSha }: { suiteId: string; headSha: string },
): Promise<void> {
  const suite = await findSuite(ctx.db, suiteId);
  if (!suite?.codehost) return;
  const commit = { ...toRepositoryKey(suite.codehost), headSha };
  const linked = await findLinkedSuite(ctx, commit, suiteId);
  if (linked === null) return;
  await inTransaction(ctx.db, async (trx) => {
    for (const pullRequest of await findOpenPullRequestsAt(trx, commit)) {
      const last = await findNewestAttempt(trx, suiteId, pullRequest);
      const replaced = last !== null && (await isReplaced(trx, last));
      if (replaced && isInFlight(last.status)) await cancelInFlight(trx, ctx, last.id, { reason: 'preview_replaced' });
      await startPullRequestRun(trx, ctx, linked, pullRequest, replaced ? 'any end' : WITHOUT_PREVIEW);
    }
    await queuePreviewSearches(trx, commit, () => true);
  });
}
