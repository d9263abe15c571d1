import { readMaking } from '../../baselines/read-baselines.ts';
import { CaptureCancelled } from '../../capture/browser/browser.ts';
import type { Context, WorkerContext } from '../../context.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { findSuite } from '../../suites/suite-store.ts';
import { appendLogs } from '../log/log-store.ts';
import { changePendingResult, findDueControls } from '../results/result-store.ts';
import type { PageResult } from '../results/result.ts';
import { findRun, lockRun } from '../run-store.ts';
import { isForOtherEngine } from './choose-engine.ts';
import { createOwnSite, createVisits } from './own-site.ts';
import { paceOf, type PageJob } from './pace.ts';
import { openSlots } from './slots.ts';
import { takeControl, withoutControl, type Control } from './take-control.ts';

/** Stores what the site showed and has the result compared again, unless it was cancelled in the meantime. */
async function endControl({ db }: Pick<Context, 'db'>, result: PageResult, { change, line }: Control): Promise<void> {
  await inTransaction(db, async (trx) => {
    const run = await lockRun(trx, result.testRunId);
    if (run?.status !== 'RUNNING' || !(await changePendingResult(trx, result.id, { ...change, isFree: true }))) return;
    await appendLogs(trx, run.id, [line]);
    await openSlots(trx, run, 'compare');
  });
}

/** Has the result compared without a control screenshot. */
export async function endWithout(ctx: Pick<Context, 'db'>, result: PageResult, why: string): Promise<void> {
  await endControl(ctx, result, withoutControl(result, why));
}

async function isForSameEngine(ctx: WorkerContext, due: PageResult[]): Promise<boolean> {
  const [first] = due;
  const engines = due.map(({ captureEngine }) => captureEngine);
  return first !== undefined && isForOtherEngine(ctx, engines, first.updatedAt);
}

/**
 * Captures a page on the suite's own site, as it is now, at each viewport at which its comparison asked for that. It
 * saves after each one. Pages that another worker should capture are left.
 */
export async function captureControl(
  ctx: WorkerContext,
  { runId, path }: { runId: string; path: string },
  job: PageJob,
): Promise<void> {
  const run = await findRun(ctx.db, runId);
  const suite = run === null ? null : await findSuite(ctx.db, run.testSuiteId);
  if (run?.status !== 'RUNNING' || suite === null) return;
  const visit = createVisits(ctx, run);
  const ownSite = createOwnSite(ctx, { run, suite, visit });
  const of = { run, suite, visit, ownSite, pace: paceOf(ctx, run, job) };
  const due = await findDueControls(ctx.db, runId, path);
  if (await isForSameEngine(ctx, due)) return;
  for (const result of due) {
    const { baselineFile, baselineVersionId } = result;
    const making = baselineVersionId === null ? null : await readMaking(ctx, baselineVersionId);
    const baseline = baselineFile === null || making === null ? null : { ...making, filePath: baselineFile };
    try {
      await endControl(ctx, result, await takeControl(ctx, of, result, baseline));
    } catch (error) {
      if (!(error instanceof CaptureCancelled)) throw error;
      job.signal.throwIfAborted();
      return;
    }
  }
}
