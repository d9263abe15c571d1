import type { Baseline } from '../../baselines/baseline.ts';
import { currentBaselines } from '../../baselines/read-baselines.ts';
import { CaptureCancelled, CaptureError } from '../../capture/browser/browser.ts';
import type { WorkerContext } from '../../context.ts';
import { isForOtherEngine } from '../engines/choose-engine.ts';
import { provePages } from '../proofs/prove-pages.ts';
import { findPendingResults } from '../results/result-store.ts';
import type { PageResult } from '../results/result.ts';
import { captureByBase } from './capture-by-base.ts';
import { captureTarget } from './capture-target.ts';
import type { CapturedRun } from './captured-run.ts';
import { keepCapture } from './keep-capture.ts';
import { createOpenRuns } from './open-runs.ts';
import { paceOf, type PageJob } from './pace.ts';
import { settleResult } from './settle-result.ts';
import { openSlots } from './slots.ts';
import { warnOfLogin } from './warn-of-login.ts';

async function captureResult(
  ctx: WorkerContext,
  of: CapturedRun,
  found: PageResult,
  baseline: Baseline | null,
): Promise<void> {
  const { run, base } = of;
  const result = await captureByBase(ctx, of, { result: found, baseline });
  const own = result.leftOut && base !== null ? { ...run, config: base } : run;
  try {
    const capture = await captureTarget(ctx, { ...of, run: own }, result, baseline);
    ctx.measure('capture_seconds', { outcome: 'captured' }, capture.duration / 1000);
    await keepCapture(ctx, of, result, baseline, capture);
    await warnOfLogin(ctx, run, result, capture);
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error;
    ctx.measure('captures', { outcome: 'error' }, 1);
    ctx.measure('capture_errors', { cause: error.code }, 1);
    await settleResult(ctx, result, {
      status: 'ERROR',
      error: error.message,
      errorCode: error.code,
      baselineFile: baseline?.filePath ?? null,
      baselineVersionId: baseline?.currentVersionId ?? null,
      isNew: baseline === null,
    });
  }
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
  const baselines = await currentBaselines(ctx.db, run.testSuiteId, payload.path);
  const engines = [...baselines.values()].map(({ captureEngine }) => captureEngine);
  if (await isForOtherEngine(ctx, engines, run.startedAt ?? run.createdAt)) return false;
  // The previous attempt did not get to the comparison.
  if (pending.some(isToBeCompared)) await openSlots(ctx.db, run, 'compare');
  for (const result of pending.filter((waiting) => waiting.currentFile === null)) {
    try {
      await captureResult(ctx, of, result, baselines.get(result.viewport) ?? null);
    } catch (error) {
      if (!(error instanceof CaptureCancelled)) throw error;
      job.signal.throwIfAborted();
      return false;
    }
  }
  return pending.every(({ currentFile }) => currentFile === null);
}
