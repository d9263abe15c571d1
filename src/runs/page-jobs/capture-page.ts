import type { Baseline } from '../../baselines/baseline.ts';
import { currentBaselines } from '../../baselines/read-baselines.ts';
import { CaptureCancelled, CaptureError } from '../../capture/browser/browser.ts';
import type { WorkerContext } from '../../context.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { appendLogs } from '../log/log-store.ts';
import { findPendingResults } from '../results/result-store.ts';
import type { PageResult } from '../results/result.ts';
import type { Run } from '../run.ts';
import { findRun, moveRun } from '../run-store.ts';
import { isForOtherEngine } from '../engines/choose-engine.ts';
import { findSuite } from '../../suites/suite-store.ts';
import { runTarget } from '../run-target.ts';
import { findBaseConfig } from '../settings-change/base-config.ts';
import { provePages } from '../proofs/prove-pages.ts';
import { captureByBase } from './capture-by-base.ts';
import type { CapturedRun } from './captured-run.ts';
import { captureTarget } from './capture-target.ts';
import { logSiteAccess } from './log-site-access.ts';
import { keepCapture } from './keep-capture.ts';
import type { PageJob } from './pace.ts';
import { paceOf } from './pace.ts';
import { warnOfLogin } from './warn-of-login.ts';
import { settleResult } from './settle-result.ts';

/** In one transaction, as no other job would write what a worker that died in between did not. */
async function begin(ctx: WorkerContext, run: Run): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    if (!(await moveRun(trx, run.id, ['PENDING'], 'RUNNING'))) return;
    await appendLogs(trx, run.id, [{ type: 'SYSTEM', message: 'Run started', progress: 0 }]);
    await logSiteAccess({ db: trx }, run);
  });
}

/** The first page of a run moves it to RUNNING. Null when the run has ended or was deleted. */
async function takeRun(ctx: WorkerContext, runId: string, job: PageJob): Promise<CapturedRun | null> {
  const found = await findRun(ctx.db, runId);
  if (found?.status === 'PENDING') await begin(ctx, found);
  const run = found?.status === 'PENDING' ? await findRun(ctx.db, runId) : found;
  const suite = run?.status === 'RUNNING' ? await findSuite(ctx.db, run.testSuiteId) : null;
  if (run?.status !== 'RUNNING' || suite === null) return null;
  const base = await findBaseConfig(ctx, run);
  return { run, suite, target: runTarget(suite, run), base, pace: paceOf(ctx, run, job) };
}

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
 * Captures one page at each viewport that has no screenshot yet. It saves after each one, so whoever does it again continues
 * where the last one ended. It stops between two steps when the run was cancelled, and leaves what another worker should
 * capture.
 */
export async function capturePage(
  ctx: WorkerContext,
  payload: { runId: string; path: string },
  job: PageJob,
): Promise<void> {
  const of = await takeRun(ctx, payload.runId, job);
  if (of === null) return;
  const { run } = of;
  await provePages(ctx, run, payload.path);
  const pending = await findPendingResults(ctx.db, run.id, payload.path);
  const baselines = await currentBaselines(ctx.db, run.testSuiteId, payload.path);
  const engines = [...baselines.values()].map(({ captureEngine }) => captureEngine);
  if (await isForOtherEngine(ctx, engines, run.startedAt ?? run.createdAt)) return;
  for (const result of pending.filter((waiting) => waiting.currentFile === null)) {
    try {
      await captureResult(ctx, of, result, baselines.get(result.viewport) ?? null);
    } catch (error) {
      if (!(error instanceof CaptureCancelled)) throw error;
      job.signal.throwIfAborted();
      return;
    }
  }
}
