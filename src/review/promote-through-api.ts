import type { Viewer } from '../auth/viewer.ts';
import type { Baseline, Promotion } from '../baselines/baseline.ts';
import { assertPicture } from '../baselines/compare-versions.ts';
import { inMeasuredTransaction } from '../baselines/measure-promotions.ts';
import { promote } from '../baselines/promote.ts';
import { currentBaselines, readEngines, readVersion } from '../baselines/read-baselines.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { conflict, invalid, notFound } from '../errors.ts';
import { getRunFor } from '../runs/read-run.ts';
import { approveResults } from './review-gate.ts';
import { findResult } from '../runs/result-store.ts';
import { lockRun } from '../runs/run-store.ts';
import { getSuiteFor } from '../suites/read-suite.ts';
import { promotionOf } from './promotion.ts';

export type PromoteThroughApi = {
  pageResultId?: string | undefined;
  baselineVersionId?: string | undefined;
  note?: string | undefined;
};

type ApiContext = Pick<Context, 'db' | 'storage' | 'log'>;

async function baselineOf(db: Db, suiteId: string, key: { path: string; viewport: string }): Promise<Baseline> {
  const baseline = (await currentBaselines(db, suiteId, key.path)).get(key.viewport);
  if (baseline === undefined) throw new Error(`A promoted page has no baseline: ${key.path} at ${key.viewport}`);
  return baseline;
}

async function promoteResult(ctx: ApiContext, viewer: Viewer, id: string, note: string | null): Promise<Baseline> {
  const found = await findResult(ctx.db, id);
  if (found === null) throw notFound('Result');
  const { suite } = await getRunFor(ctx, viewer, found.testRunId, 'suite.approve');
  return inMeasuredTransaction(ctx, async (trx, measurements) => {
    const run = await lockRun(trx, found.testRunId);
    const result = await findResult(trx, id);
    if (run === null || result === null) throw notFound('Result');
    if (result.currentFile === null || (result.status !== 'PASS' && result.status !== 'FAIL')) {
      throw conflict('The result has no screenshot to set as the baseline', 'no_picture');
    }
    const promotions = promotionOf(run, result, { source: 'API', approverId: viewer.id, note });
    await promote(trx, suite, promotions, measurements);
    if (!result.approved) await approveResults(trx, run, [result], viewer);
    return baselineOf(trx, suite.id, result);
  });
}

async function restoreVersion(ctx: ApiContext, viewer: Viewer, id: string, note: string | null): Promise<Baseline> {
  const version = await readVersion(ctx, viewer, id);
  const suite = await getSuiteFor(ctx, viewer, version.testSuiteId, 'suite.approve');
  await assertPicture(ctx, version);
  const replaced = await baselineOf(ctx.db, suite.id, version);
  const promotion: Promotion = {
    ...(await readEngines(ctx, version.id)),
    path: version.path,
    viewport: version.viewport,
    filePath: version.filePath,
    source: 'API',
    approvedById: viewer.id,
    testRunId: version.testRunId,
    pageResultId: null,
    diffScore: null,
    comparedVersionId: replaced.currentVersionId,
    prNumber: null,
    note: note ?? `Restored from version ${version.version}`,
  };
  return inMeasuredTransaction(ctx, async (trx, measurements) => {
    await promote(trx, suite, [promotion], measurements);
    return baselineOf(trx, suite.id, version);
  });
}

/**
 * Makes a page result's picture, or an old version, the current baseline: appends a version with source API. A page
 * result that has been promoted already changes nothing.
 * @returns the key's baseline, pointing at its newest version.
 * @throws AppError invalid unless exactly one of the two is named; not_found, forbidden; conflict when the result has no
 * picture.
 */
export async function promoteThroughApi(ctx: ApiContext, viewer: Viewer, input: PromoteThroughApi): Promise<Baseline> {
  const { pageResultId, baselineVersionId } = input;
  const note = input.note ?? null;
  if (pageResultId !== undefined && baselineVersionId === undefined) {
    return promoteResult(ctx, viewer, pageResultId, note);
  }
  if (baselineVersionId !== undefined && pageResultId === undefined) {
    return restoreVersion(ctx, viewer, baselineVersionId, note);
  }
  throw invalid('Send either pageResultId or baselineVersionId', [
    { path: 'pageResultId', message: 'exactly one of pageResultId and baselineVersionId is required' },
  ]);
}
