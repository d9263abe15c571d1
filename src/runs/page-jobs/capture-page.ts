import { findBaselinesOfPaths } from '../../baselines/baseline-store.ts';
import type { Baseline } from '../../baselines/baseline.ts';
import { CaptureCancelled, CaptureError, type Capture } from '../../capture/browser/browser.ts';
import type { CaptureSeries } from '../../capture/browser/capture-request.ts';
import { endSeries } from '../../capture/series.ts';
import type { Context, WorkerContext } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { imageName } from '../../storage/object-name.ts';
import { appendLogs } from '../log/log-store.ts';
import { warningLine } from '../log/run-log.ts';
import { provePages } from '../proofs/prove-pages.ts';
import {
  changePendingResult,
  countSameScreenshots,
  findPendingResults,
  type ResultChange,
} from '../results/result-store.ts';
import type { PageResult } from '../results/result.ts';
import { claimLoginWarning } from '../run-store.ts';
import type { Run } from '../run.ts';
import { captureTarget } from './capture-target.ts';
import { isForOtherEngine } from './choose-engine.ts';
import { settleResult } from './compare-page.ts';
import { keepCapture } from './keep-capture.ts';
import { createOpenRuns, openSlots, paceOf, type CapturedRun, type PageJob } from './open-runs.ts';
import { storeCapture } from './take-control.ts';

async function tryCapture(
  ctx: WorkerContext,
  of: Omit<CapturedRun, 'base'>,
  result: PageResult,
  baseline: Baseline | null,
): Promise<ResultChange> {
  try {
    const capture = await captureTarget(ctx, of, result, baseline);
    const { file, elementsFile } = await storeCapture(ctx, of.suite.id, capture);
    return { baseState: 'TAKEN', baseFile: file, baseElementsFile: elementsFile };
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error;
    const message = `could not be captured with the settings of the base: ${error.message}`;
    const warning = { code: 'base_failed', message };
    await appendLogs(ctx.db, of.run.id, [warningLine(result, warning)]);
    const warnings = [...result.warnings, warning];
    return { baseState: 'FAILED', baseFile: null, baseElementsFile: null, warnings };
  }
}

/**
 * Captures a page of the preview with the settings of the base, if its pull request changes how it is captured, so that
 * a reviewer sees what that hides. @returns the updated result.
 */
async function captureByBase(
  ctx: WorkerContext,
  { base, ...of }: CapturedRun,
  { result, baseline }: { result: PageResult; baseline: Baseline | null },
): Promise<PageResult> {
  if (result.baseState !== 'DUE' || base === null) return result;
  const change = await tryCapture(ctx, { ...of, run: { ...of.run, config: base } }, result, baseline);
  await changePendingResult(ctx.db, result.id, change);
  return { ...result, ...change };
}

/** With fewer, the site may just have two addresses for its login page. */
const OTHER_PAGES = 2;

/** Warns once in the run's log if several pages show exactly the same screen and it asks for a password. */
async function warnOfLogin(
  ctx: Pick<Context, 'db'>,
  run: Run,
  result: PageResult,
  { landing, sha256 }: Capture,
): Promise<void> {
  if (landing?.asksForPassword !== true) return;
  const others = await countSameScreenshots(ctx.db, result, imageName(run.testSuiteId, sha256));
  if (others < OTHER_PAGES) return;
  const message =
    'Several pages show the same screen, which asks for a password. They may have been replaced by a login page. Set a form login or a storage state in “Access to the site”';
  await inTransaction(ctx.db, async (trx) => {
    if (await claimLoginWarning(trx, run.id)) await appendLogs(trx, run.id, [{ type: 'WARNING', message }]);
  });
}

/** @returns how to save the capture, or the reason why there is none. @throws CaptureCancelled */
async function captureResult(
  ctx: WorkerContext,
  { saved, ...of }: CapturedRun & { saved: CapturedRun },
  { result: found, baseline, series }: { result: PageResult; baseline: Baseline | null; series: CaptureSeries },
): Promise<() => Promise<void>> {
  const { run, base } = of;
  const result = await captureByBase(ctx, of, { result: found, baseline });
  const own = result.leftOut && base !== null ? { ...run, config: base } : run;
  try {
    const capture = await captureTarget(ctx, { ...of, run: own }, result, baseline, series);
    ctx.measure('capture_seconds', { outcome: 'captured' }, capture.duration / 1000);
    return async () => {
      await keepCapture(ctx, saved, result, baseline, capture);
      await warnOfLogin(ctx, run, result, capture);
    };
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error;
    ctx.measure('captures', { outcome: 'error' }, 1);
    ctx.measure('capture_errors', { cause: error.code }, 1);
    return async () => {
      await settleResult(ctx, result, {
        status: 'ERROR',
        error: error.message,
        errorCode: error.code,
        baselineFile: baseline?.filePath ?? null,
        baselineVersionId: baseline?.currentVersionId ?? null,
        isNew: baseline === null,
      });
    };
  }
}

/** One turn for the captures of a page, which ends when the page waits for something. */
function shareTurn(takeTurn: PageJob['takeTurn']) {
  let turn: (() => void) | undefined;
  const end = () => {
    turn?.();
    turn = undefined;
  };
  const take = async () => {
    turn ??= await takeTurn?.();
    return end;
  };
  return { end, take };
}

/**
 * Captures one page at one viewport after the other, and saves each screenshot while the next one is captured. While the
 * page waits for rest, the other viewports begin beside it, if there is a place.
 * @throws CaptureCancelled
 */
async function captureEach(
  ctx: WorkerContext,
  of: CapturedRun,
  path: string,
  results: { result: PageResult; baseline: Baseline | null }[],
): Promise<void> {
  const waiting = [...results];
  let beside = Promise.resolve();
  const onWait = () => {
    const leave = waiting.length === 0 ? null : of.pace.takePlace?.();
    if (!leave) return;
    beside = captureEach(ctx, of, path, waiting.splice(0)).finally(leave);
    // The error is reported where it is awaited.
    beside.catch(() => undefined);
  };
  const series = { path, onWait };
  const turn = shareTurn(of.pace.takeTurn);
  const shared = { ...of, pace: { ...of.pace, takeTurn: turn.take }, saved: of };
  let saving = Promise.resolve();
  let isSaving = false;
  try {
    for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) {
      const save = await captureResult(ctx, shared, { ...each, series });
      // It may need a turn itself.
      if (isSaving) turn.end();
      await saving;
      isSaving = true;
      saving = save().finally(() => {
        isSaving = false;
      });
      // The error is reported where it is awaited.
      saving.catch(() => undefined);
    }
  } finally {
    turn.end();
    await Promise.allSettled([endSeries(series), saving, beside]);
  }
  await Promise.all([saving, beside]);
}

const isToBeCompared = ({ currentFile, controlState }: PageResult) => currentFile !== null && controlState !== 'DUE';

/**
 * Captures one page at each viewport that has no screenshot yet. It saves after each one, so that a repetition
 * continues where it ended. It stops between two steps if the run was cancelled, and leaves pages that another worker
 * should capture.
 */
export async function capturePage(
  ctx: WorkerContext,
  payload: { runId: string; path: string },
  job: PageJob,
  runs = createOpenRuns(ctx),
): Promise<boolean> {
  const opened = await runs.open(payload.runId);
  if (opened === null) return false;
  const of = { ...opened, pace: paceOf(ctx, opened.run, job) };
  const { run } = of;
  await provePages(ctx, of, payload.path);
  const pending = await findPendingResults(ctx.db, run.id, payload.path);
  const baselines = await findBaselinesOfPaths(ctx.db, run.testSuiteId, [payload.path]);
  const engines = baselines.map(({ captureEngine }) => captureEngine);
  if (await isForOtherEngine(ctx, engines, run.startedAt ?? run.createdAt)) return false;
  // The previous attempt did not get to the comparison.
  if (pending.some(isToBeCompared)) await openSlots(ctx.db, run, 'compare');
  const due = pending
    .filter(({ currentFile }) => currentFile === null)
    .map((result) => ({ result, baseline: baselines.find(({ viewport }) => viewport === result.viewport) ?? null }));
  try {
    await captureEach(ctx, of, payload.path, due);
  } catch (error) {
    if (!(error instanceof CaptureCancelled)) throw error;
    job.signal.throwIfAborted();
    return false;
  }
  return pending.every(({ currentFile }) => currentFile === null);
}
