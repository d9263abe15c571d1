import { readMaking } from '../../baselines/read-baselines.ts';
import type { Capture } from '../../capture/browser/browser.ts';
import { CaptureCancelled, CaptureError } from '../../capture/browser/browser.ts';
import type { Context, WorkerContext } from '../../context.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import type { Suite } from '../../suites/suite.ts';
import { findSuite } from '../../suites/suite-store.ts';
import { formatNumber } from '../../text/format.ts';
import { isForOtherEngine } from '../engines/choose-engine.ts';
import { appendLogs } from '../log/log-store.ts';
import type { RunLogLine } from '../log/run-log.ts';
import { countControls, findDueControls } from '../results/control-store.ts';
import type { ResultChange } from '../results/result-store.ts';
import { changePendingResult } from '../results/result-store.ts';
import type { PageResult } from '../results/result.ts';
import type { Run } from '../run.ts';
import { findRun, lockRun } from '../run-store.ts';
import { captureRequest } from './capture-request.ts';
import { captureWithAccess } from './capture-with-access.ts';
import type { Pace, PageJob } from './pace.ts';
import { paceOf } from './pace.ts';
import { openSlots } from './slots.ts';
import { storeCapture } from './store-capture.ts';

/** When so many captures of the site have failed in a run, and none has not, the site is not tried again. */
const MAX_FAILURES = 5;

/** Writes how the capture came out and has the result compared again, unless it was cancelled meanwhile. */
async function endControl(
  { db }: Pick<Context, 'db'>,
  result: PageResult,
  change: ResultChange,
  line: RunLogLine,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const run = await lockRun(trx, result.testRunId);
    if (run?.status !== 'RUNNING' || !(await changePendingResult(trx, result.id, { ...change, isFree: true }))) return;
    await appendLogs(trx, run.id, [line]);
    await openSlots(trx, run, 'compare');
  });
}

/** Without a control screenshot, a difference is the preview's own. */
export async function endWithout(ctx: Pick<Context, 'db'>, result: PageResult, why: string): Promise<void> {
  const { path, viewport } = result;
  await endControl(
    ctx,
    result,
    { controlState: 'FAILED' },
    {
      type: 'WARNING',
      message: `${path} at ${viewport}: the difference counts as a change because the suite's own site could not be captured for comparison: ${why}`,
      metadata: { path, viewport, code: 'control_failed' },
    },
  );
}

async function keepControl(ctx: WorkerContext, { id: suiteId }: Suite, result: PageResult, capture: Capture) {
  const { path, viewport } = result;
  const { file, elementsFile } = await storeCapture(ctx, suiteId, capture);
  await endControl(
    ctx,
    result,
    {
      controlState: 'TAKEN',
      // Taken the way its baseline was, the site has not changed.
      controlFile: capture.asBefore === null ? file : result.baselineFile,
      controlElementsFile: elementsFile,
      controlServed: capture.served,
      // A page that is not steady on the site is not steady on its preview.
      ...(capture.stability === 'UNSTABLE' && { stability: capture.stability }),
    },
    {
      type: 'DEBUG',
      message: `${path} at ${viewport}: captured on the suite's own site for comparison, in ${formatNumber(Math.round(capture.duration))} ms`,
      metadata: { path, viewport, engine: capture.engine, width: capture.width, height: capture.height },
    },
  );
}

async function captureOne(ctx: WorkerContext, run: Run, suite: Suite, result: PageResult, pace: Pace): Promise<void> {
  const { baselineFile, baselineVersionId } = result;
  const making = baselineVersionId === null ? null : await readMaking(ctx, baselineVersionId);
  const baseline = baselineFile === null || making === null ? null : { ...making, filePath: baselineFile };
  const page = { ...result, url: suite.origin + result.path };
  const origins = [new URL(run.targetBaseUrl).origin, suite.origin];
  try {
    const site = { suiteId: suite.id, scope: run.id };
    const request = { ...captureRequest(run, page, baseline), origins, scope: `${run.id}/control` };
    const capture = await captureWithAccess(ctx, site, request, pace);
    ctx.measure('captures', { outcome: 'control' }, 1);
    await keepControl(ctx, suite, result, capture);
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error;
    ctx.measure('captures', { outcome: 'control_failed' }, 1);
    await endWithout(ctx, result, error.message);
  }
}

async function isForSameEngine(ctx: WorkerContext, due: PageResult[]): Promise<boolean> {
  const [first] = due;
  const engines = due.map(({ captureEngine }) => captureEngine);
  return first !== undefined && isForOtherEngine(ctx, engines, first.updatedAt);
}

/**
 * Captures a page on the suite's own site, as it is now, at each viewport at which its preview differs. It saves after each
 * one. A site that cannot be captured fails no result. What another worker should capture is left.
 */
export async function captureControl(
  ctx: WorkerContext,
  { runId, path }: { runId: string; path: string },
  job: PageJob,
): Promise<void> {
  const run = await findRun(ctx.db, runId);
  const suite = run === null ? null : await findSuite(ctx.db, run.testSuiteId);
  if (run?.status !== 'RUNNING' || suite === null) return;
  const pace = paceOf(ctx, run, job);
  const due = await findDueControls(ctx.db, runId, path);
  if (await isForSameEngine(ctx, due)) return;
  for (const result of due) {
    const { taken, failed } = await countControls(ctx.db, runId);
    try {
      if (taken === 0 && failed >= MAX_FAILURES) await endWithout(ctx, result, 'it failed for other pages of this run');
      else await captureOne(ctx, run, suite, result, pace);
    } catch (error) {
      if (!(error instanceof CaptureCancelled)) throw error;
      job.signal.throwIfAborted();
      return;
    }
  }
}
