import { toActor } from '../../auth/user.ts';
import { inMeasuredTransaction, type MeasureContext } from '../../baselines/measure-promotions.ts';
import { promote } from '../../baselines/promote-results.ts';
import { conflict } from '../../errors.ts';
import { findEngineResults, readEngineDifferences } from '../../runs/page-jobs/engine-store.ts';
import { buildPromotion } from '../../runs/results/promotion.ts';
import { lockRun } from '../../runs/run-store.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { approveResults, recordApproval } from './review-gate.ts';

/**
 * Renews baselines that differ, in the newest run of the suite's own site, only because of another browser. Earlier
 * versions are kept.
 * @returns how many versions were added.
 * @throws AppError conflict when there is nothing to renew.
 */
export async function renewBaselines(ctx: MeasureContext, suite: SuiteFor<'suite.approve'>): Promise<number> {
  return inMeasuredTransaction(ctx, async (trx, measurements) => {
    const differences = await readEngineDifferences(trx, suite);
    const run = differences === null ? null : await lockRun(trx, differences.runId);
    if (run === null) throw conflict('No baseline differs only because of the browser', 'nothing_to_renew');
    const results = await findEngineResults(trx, run.id);
    const promotions = results.flatMap((result) =>
      buildPromotion(result, {
        source: 'MANUAL',
        approverId: suite.viewer.id,
        note: `Captured again with a different browser: ${result.captureEngine ?? 'unknown'}`,
      }),
    );
    const { viewer } = suite;
    const versions = await promote(trx, suite, promotions, toActor(viewer), measurements);
    await approveResults(trx, run, results, { viewer });
    await recordApproval(trx, run, viewer, { results: results.length, versions: versions.length });
    return versions.length;
  });
}
