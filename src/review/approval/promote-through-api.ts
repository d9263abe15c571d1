import { toActor } from '../../auth/user.ts';
import { findBaselinesOfPaths, lockPromotions } from '../../baselines/baseline-store.ts';
import type { Baseline, Promotion } from '../../baselines/baseline.ts';
import { assertScreenshotStored, screenshotOfVersion } from '../../baselines/compare-screenshots.ts';
import { inMeasuredTransaction, type MeasureContext } from '../../baselines/measure-promotions.ts';
import { promote } from '../../baselines/promote-results.ts';
import { readMaking, type VersionFor } from '../../baselines/read-baselines.ts';
import type { Db } from '../../db/database.ts';
import { conflict, notFound } from '../../errors.ts';
import { findEngineResults, readEngineDifferences } from '../../runs/page-jobs/engine-store.ts';
import type { ResultFor } from '../../runs/read-run.ts';
import { buildPromotion } from '../../runs/results/promotion.ts';
import { findResult } from '../../runs/results/result-store.ts';
import { lockRun } from '../../runs/run-store.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { assertNotOverruling, type Seen } from '../verdicts/seen.ts';
import { lockReviewable } from './approve-run.ts';
import { assertAsShown, assertReplacesShown, assertStored } from './as-shown.ts';
import { approveResults, recordApproval } from './review-gate.ts';

async function findPromotedBaseline(
  db: Db,
  suiteId: string,
  key: { path: string; viewport: string },
): Promise<Baseline> {
  const baselines = await findBaselinesOfPaths(db, suiteId, [key.path]);
  const baseline = baselines.find(({ viewport }) => viewport === key.viewport);
  // Its suite was deleted in the meantime.
  if (baseline === undefined) throw notFound('Baseline');
  return baseline;
}

/**
 * Makes a result's screenshot the current baseline by adding a version with source API. Does nothing when the result
 * has been promoted already.
 * @returns the key's baseline, pointing at its newest version.
 * @throws AppError conflict when the result has no screenshot, somebody decided otherwise since `seen`, it
 * no longer looks as `look` says, or as `assertReviewable`.
 */
export async function promoteResult(
  ctx: MeasureContext,
  target: ResultFor<'suite.approve'>,
  { note, seen, look }: { note: string | null; seen?: Seen; look?: string | undefined },
): Promise<Baseline> {
  const { suite } = target.run;
  return inMeasuredTransaction(ctx, async (trx, measurements) => {
    const run = await lockReviewable(trx, target.run.id);
    const result = await findResult(trx, target.id);
    if (result?.testRunId !== run.id) throw notFound('Result');
    if (result.currentFile === null || (result.status !== 'PASS' && result.status !== 'FAIL')) {
      throw conflict('The result has no screenshot to set as the baseline', 'no_picture');
    }
    assertAsShown(result, look);
    if (look !== undefined) await assertReplacesShown(trx, suite.id, [result]);
    const { viewer } = suite;
    const about = { seen, viewerId: viewer.id, decision: 'approve' as const, resultIds: [result.id] };
    await assertNotOverruling(trx, run, about);
    const promotions = buildPromotion(result, { source: 'API', approverId: viewer.id, note });
    const versions = await promote(trx, suite, promotions, toActor(viewer), measurements);
    if (!result.approved) {
      await approveResults(trx, run, [result], { viewer, note });
      await recordApproval(trx, run, viewer, { results: 1, versions: versions.length, note });
    }
    return findPromotedBaseline(trx, suite.id, result);
  });
}

/** Nobody replaces a version that they were not shown. */
function assertCurrent({ currentVersionId, currentVersion, viewport }: Baseline, shown: string): void {
  if (currentVersionId === shown) return;
  const message = `Version ${currentVersion} is now the baseline at ${viewport}. Look at it, then decide again`;
  throw conflict(message, 'not_as_shown');
}

/**
 * Makes an old version's screenshot the current baseline by adding a version with source API.
 * @param said.replaces the id of the version that the person was shown as the current one. Undefined: whichever is,
 * which only programs do.
 * @returns the key's baseline, pointing at its newest version.
 * @throws AppError conflict `picture_missing` when the storage has lost the screenshot, `not_as_shown` when another
 * version is current than `replaces`.
 */
export async function restoreVersion(
  ctx: MeasureContext,
  version: VersionFor<'suite.approve'>,
  { note, replaces }: { note: string | null; replaces?: string | undefined },
): Promise<Baseline> {
  const { suite } = version;
  await assertScreenshotStored(ctx, screenshotOfVersion(version));
  const replaced = await findPromotedBaseline(ctx.db, suite.id, version);
  const promotion: Promotion = {
    ...(await readMaking(ctx, version.id)),
    path: version.path,
    viewport: version.viewport,
    filePath: version.filePath,
    source: 'API',
    approvedById: suite.viewer.id,
    testRunId: version.testRunId,
    pageResultId: null,
    diffScore: null,
    comparedVersionId: replaced.currentVersionId,
    prNumber: null,
    note: note ?? `Restored from version ${version.version}`,
    restoredVersion: version.version,
  };
  return inMeasuredTransaction(ctx, async (trx, measurements) => {
    if (replaces !== undefined) {
      await lockPromotions(trx, suite.id);
      assertCurrent(await findPromotedBaseline(trx, suite.id, version), replaces);
    }
    await promote(trx, suite, [promotion], toActor(suite.viewer), measurements);
    return findPromotedBaseline(trx, suite.id, version);
  });
}

/**
 * Renews baselines that differ, in the newest run of the suite's own site, only because of another browser. Earlier
 * versions are kept.
 * @param shown the run, and which results of it, that the person was shown
 * @returns how many versions were added.
 * @throws AppError conflict when there is nothing to renew, `not_as_shown` when it is something else by now, or
 * `screenshot_lost`.
 */
export async function renewBaselines(
  ctx: MeasureContext,
  suite: SuiteFor<'suite.approve'>,
  shown: { runId: string; which: string },
): Promise<number> {
  const latest = await readEngineDifferences(ctx.db, suite);
  // The run may be of a suite that this person may not read.
  if (latest?.runId === shown.runId) {
    const announced = await findEngineResults(ctx.db, latest.runId);
    const ids = announced.map(({ id }) => id);
    await assertStored(ctx, { id: latest.runId }, ids);
  }
  return inMeasuredTransaction(ctx, async (trx, measurements) => {
    const differences = await readEngineDifferences(trx, suite);
    const run = differences === null ? null : await lockRun(trx, differences.runId);
    if (run === null) throw conflict('No baseline differs only because of the browser', 'nothing_to_renew');
    // Nobody promotes another screenshot after these are read.
    await lockPromotions(trx, suite.id);
    const now = await readEngineDifferences(trx, suite);
    if (now?.runId !== run.id || run.id !== shown.runId || now.which !== shown.which) {
      throw conflict('Other baselines now differ because of the browser. Look at them again', 'not_as_shown');
    }
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
