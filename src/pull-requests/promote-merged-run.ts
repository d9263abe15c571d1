import { inMeasuredTransaction, type MeasureContext } from '../baselines/measure-promotions.ts';
import { promote } from '../baselines/promote-results.ts';
import { WEBHOOK } from '../events/event.ts';
import { buildPromotion } from '../review/approval/promotion.ts';
import { findResults } from '../runs/results/result-store.ts';
import type { PageResult } from '../runs/results/result.ts';
import { lockRun } from '../runs/run-store.ts';
import { findSuite } from '../suites/suite-store.ts';
import { findNewestAttempts } from './pull-request-run-store.ts';
import type { PullRequest } from './pull-request.ts';

/** Somebody approved it, and nobody requests changes. */
const isAgreed = ({ approved, changesRequested }: PageResult) => approved && !changesRequested;

/** The screenshot has become the baseline in another way since its approval. */
const isUnchanged = ({ status, isNew }: PageResult) => status === 'PASS' && !isNew;

/**
 * Adds a baseline version for each approved result of a merged pull request's run, by path, with the approver stored in
 * the result (docs/rules.md, Baselines). A run that gates nothing promotes nothing: its pull request went into another
 * branch. Results promoted before are skipped, so it can be called again after every approval.
 * @returns how many versions were added.
 */
export async function promoteMergedRun(
  ctx: MeasureContext,
  runId: string,
  prNumber: number,
  mergeCommitSha: string | null = null,
): Promise<number> {
  return inMeasuredTransaction(ctx, async (trx, measurements) => {
    const run = await lockRun(trx, runId);
    const suite = run && (await findSuite(trx, run.testSuiteId));
    if (run === null || suite === null || run.status === 'CANCELLED' || !run.isGated) return 0;
    const approved = (await findResults(trx, runId)).filter((result) => isAgreed(result) && !isUnchanged(result));
    const promotions = approved.flatMap((result) =>
      buildPromotion(run, result, {
        source: 'PR_MERGE',
        approverId: result.approvedById,
        note: null,
        prNumber,
        mergeCommitSha,
      }),
    );
    return (await promote(trx, suite, promotions, WEBHOOK, measurements)).length;
  });
}

/** Does the same for each suite's last run at the pull request's head. */
export async function promoteMergedPullRequest(
  ctx: MeasureContext,
  { owner, repo, number, headSha, mergeCommitSha }: PullRequest,
): Promise<void> {
  for (const run of await findNewestAttempts(ctx.db, { owner, repo, number, headSha })) {
    const versions = await promoteMergedRun(ctx, run.id, number, mergeCommitSha);
    if (versions > 0) ctx.log.info({ runId: run.id, owner, repo, number, versions }, 'promoted a merged pull request');
  }
}
