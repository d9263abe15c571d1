import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { findOpenPullRequestsAt } from '../../pull-requests/pull-request-store.ts';
import { toHead } from '../../pull-requests/pull-request.ts';
import { queuePreviewSearches, startPullRequestRun } from '../../pull-requests/start-pull-request-run.ts';
import type { EndReason } from '../../runs/end-reason.ts';
import { linkedSuites } from '../../suites/linked-suites.ts';
import { findSuite } from '../../suites/suite-store.ts';

/** A run that ended so can still be of use: now there is something to capture. */
const AGAIN_AFTER: EndReason[] = [
  'preview_timeout',
  'preview_failed',
  'preview_skipped',
  'preview_unusable',
  'preview_ambiguous',
];

/**
 * Job: a build of a commit was uploaded. The runs that wait for a preview of it look again, and those that waited in
 * vain get another attempt. A pull request that is not known yet finds the build when it comes.
 */
export async function useBuild(
  ctx: Pick<Context, 'db' | 'config' | 'clock'>,
  { suiteId, headSha }: { suiteId: string; headSha: string },
): Promise<void> {
  const suite = await findSuite(ctx.db, suiteId);
  if (!suite?.codehost) return;
  const { owner, repo } = suite.codehost;
  const commit = { owner, repo, headSha };
  const linked = (await linkedSuites(ctx, commit)).find((each) => each.suite.id === suiteId);
  if (linked === undefined) return;
  await inTransaction(ctx.db, async (trx) => {
    for (const pullRequest of await findOpenPullRequestsAt(trx, commit)) {
      await startPullRequestRun(trx, ctx, linked, toHead(pullRequest), AGAIN_AFTER);
    }
    await queuePreviewSearches(trx, commit, () => true);
  });
}
