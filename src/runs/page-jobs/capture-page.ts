import type { Baseline } from '../../baselines/baseline.ts';
import { currentBaselines } from '../../baselines/read-baselines.ts';
import type { Capture } from '../../capture/browser.ts';
import { CaptureCancelled, CaptureError } from '../../capture/browser.ts';
import type { WorkerContext } from '../../context.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { imageName, sha256OfObject, suitePrefix } from '../../storage/object-name.ts';
import type { Viewport } from '../../suites/suite-config.ts';
import { appendLogs } from '../log/log-store.ts';
import { CAPTURE_DEFAULTS, VIEWPORT_DEFAULTS } from './capture-defaults.ts';
import { queueComparison } from './queue-captures.ts';
import { changePendingResult, findPendingResults } from '../results/result-store.ts';
import type { PageResult } from '../results/result.ts';
import type { RunLogLine } from '../log/run-log.ts';
import type { Run } from '../run.ts';
import { findRun, findRunStatus, lockRun, moveRun } from '../run-store.ts';
import { settleResult } from './settle-result.ts';

/** The first job of a run moves it to RUNNING. Null when the run has ended or was deleted. */
async function takeRun(ctx: WorkerContext, runId: string): Promise<Run | null> {
  if (await moveRun(ctx.db, runId, ['PENDING'], 'RUNNING')) {
    await appendLogs(ctx.db, runId, [{ type: 'SYSTEM', message: 'Run started', progress: 0 }]);
  }
  const run = await findRun(ctx.db, runId);
  return run?.status === 'RUNNING' ? run : null;
}

function linesFor(result: PageResult, capture: Capture): RunLogLine[] {
  const where = `${result.path} at ${result.viewport}`;
  const page = { path: result.path, viewport: result.viewport };
  return [
    {
      type: 'DEBUG',
      message: `${where}: captured ${capture.width} × ${capture.height} px in ${Math.round(capture.duration)} ms`,
      metadata: { ...page, engine: capture.engine, width: capture.width, height: capture.height },
    },
    ...capture.warnings.map((warning): RunLogLine => ({
      type: 'WARNING',
      message: `${where}: ${warning.message}`,
      metadata: { ...page, code: warning.code },
    })),
  ];
}

/** Stores the screenshot with the result and queues its comparison, in one transaction. */
async function handToComparison(
  ctx: WorkerContext,
  result: PageResult,
  baseline: Baseline,
  capture: { file: string; engine: string },
): Promise<boolean> {
  return inTransaction(ctx.db, async (trx) => {
    const run = await lockRun(trx, result.testRunId);
    if (run === null || run.status !== 'RUNNING') return false;
    const kept = await changePendingResult(trx, result.id, {
      currentFile: capture.file,
      baselineFile: baseline.filePath,
      baselineVersionId: baseline.currentVersionId,
      isNew: false,
      captureEngine: capture.engine,
    });
    if (kept) await queueComparison(trx, run, result.path);
    return kept;
  });
}

/** Settles an unchanged or new page. A screenshot that differs from its baseline goes to comparison. */
async function keep(
  ctx: WorkerContext,
  run: Run,
  result: PageResult,
  baseline: Baseline | null,
  capture: Capture,
): Promise<void> {
  const file = imageName(run.testSuiteId, capture.sha256);
  await ctx.storage.put(file, capture.png);
  await appendLogs(ctx.db, run.id, linesFor(result, capture));
  const screenshot = { currentFile: file, captureEngine: capture.engine };
  ctx.measure('captures', { outcome: baseline === null ? 'new' : baseline.filePath === file ? 'same' : 'differs' }, 1);
  if (baseline === null) {
    await settleResult(ctx, result, { ...screenshot, status: 'PASS', isNew: true });
  } else if (baseline.filePath === file) {
    const against = { baselineFile: baseline.filePath, baselineVersionId: baseline.currentVersionId };
    await settleResult(ctx, result, {
      ...screenshot,
      ...against,
      status: 'PASS',
      isNew: false,
      diffScore: 0,
      diffRegions: [],
    });
  } else {
    await handToComparison(ctx, result, baseline, { file, engine: capture.engine });
  }
  // The suite and its screenshots may have been deleted while this screenshot was being stored.
  if ((await findRunStatus(ctx.db, run.id)) === null) await ctx.storage.removeAll(suitePrefix(run.testSuiteId));
}

async function captureResult(
  ctx: WorkerContext,
  run: Run,
  result: PageResult,
  viewport: Viewport,
  isOver: () => Promise<boolean>,
): Promise<void> {
  const baseline = (await currentBaselines(ctx.db, run.testSuiteId, result.path)).get(result.viewport) ?? null;
  const { config } = run;
  const sha256 = baseline === null ? null : sha256OfObject(baseline.filePath);
  try {
    const capture = await ctx.browser.capture(
      {
        url: result.url,
        ...CAPTURE_DEFAULTS,
        viewport: { ...VIEWPORT_DEFAULTS, ...viewport },
        waitStrategy: config.waitStrategy,
        waitTime: config.waitTime,
        fullPage: config.fullPage,
        customCss: config.customCss,
        timeout: config.crawlOptions.timeout,
        baseline: sha256 === null ? null : { sha256, atRest: true },
      },
      isOver,
    );
    ctx.measure('capture_seconds', { outcome: 'captured' }, capture.duration / 1000);
    await keep(ctx, run, result, baseline, capture);
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error;
    ctx.measure('captures', { outcome: 'error' }, 1);
    await settleResult(ctx, result, {
      status: 'ERROR',
      error: error.message,
      baselineFile: baseline?.filePath ?? null,
      baselineVersionId: baseline?.currentVersionId ?? null,
      isNew: baseline === null,
    });
  }
}

/**
 * Job: captures one page at each viewport that has no screenshot yet. It saves after each one, so a job that is
 * delivered again continues where the last one ended. It stops between two steps when the run was cancelled.
 */
export async function capturePage(
  ctx: WorkerContext,
  payload: { runId: string; path: string },
  job: { signal: AbortSignal },
): Promise<void> {
  const run = await takeRun(ctx, payload.runId);
  if (run === null) return;
  const isOver = async () => job.signal.aborted || (await findRunStatus(ctx.db, run.id)) !== 'RUNNING';
  const pending = await findPendingResults(ctx.db, run.id, payload.path);
  for (const result of pending.filter((waiting) => waiting.currentFile === null)) {
    const viewport = run.config.viewports.find((each) => each.name === result.viewport);
    if (viewport === undefined) throw new Error(`Run ${run.id} has no viewport ${result.viewport}`);
    try {
      await captureResult(ctx, run, result, viewport, isOver);
    } catch (error) {
      if (!(error instanceof CaptureCancelled)) throw error;
      job.signal.throwIfAborted();
      return;
    }
  }
}
