import { inMeasuredTransaction } from '../baselines/measure-promotions.ts';
import { promote } from '../baselines/promote.ts';
import type { Context } from '../context.ts';
import { findResultsForReview, lockRunForReview } from '../runs/review-gate.ts';
import { getSuite } from '../suites/read-suite.ts';
import { promotionOf } from './promotion.ts';

/**
 * Appends what was approved in a run of a merged pull request, by path, with the approver who was stored with each
 * result (spec 3.5). What has been promoted before appends nothing, so that it may be called again after every approval.
 * @returns how many versions were appended.
 */
export async function promoteMergedRun(
  ctx: Pick<Context, 'db' | 'storage' | 'log'>,
  runId: string,
  prNumber: number,
): Promise<number> {
  return inMeasuredTransaction(ctx, async (trx, measurements) => {
    const run = await lockRunForReview(trx, runId);
    const suite = run && (await getSuite({ db: trx }, run.testSuiteId));
    if (run === null || suite === null || run.status === 'CANCELLED') return 0;
    const approved = (await findResultsForReview(trx, runId)).filter((result) => result.approved);
    const promotions = approved.flatMap((result) =>
      promotionOf(run, result, { source: 'PR_MERGE', approverId: result.approvedById, note: null, prNumber }),
    );
    return (await promote(trx, suite, promotions, measurements)).length;
  });
}
