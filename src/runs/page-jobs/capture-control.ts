import { readMaking } from '../../baselines/read-baselines.ts';
import { CaptureCancelled } from '../../capture/browser/browser.ts';
import type { Context, WorkerContext } from '../../context.ts';
import { findDueControls } from '../results/result-store.ts';
import type { PageResult } from '../results/result.ts';
import { isForOtherEngine } from './choose-engine.ts';
import { createOpenRuns } from './open-runs.ts';
import { paceOf, type PageJob } from './pace.ts';
import { handOver } from './slots.ts';
import { takeControl, withoutControl } from './take-control.ts';

/** Has the result compared without a control screenshot. */
export async function endWithout(ctx: Pick<Context, 'db'>, result: PageResult, why: string): Promise<void> {
  const { change, line } = withoutControl(result, why);
  await handOver(ctx, result, 'compare', change, [line]);
}

/**
 * Captures a page on the suite's own site, as it is now, at each viewport at which its comparison asked for that. It
 * saves after each one. Pages that another worker should capture are left.
 */
export async function captureControl(
  ctx: WorkerContext,
  { runId, path }: { runId: string; path: string },
  job: PageJob,
  runs = createOpenRuns(ctx),
): Promise<void> {
  const opened = await runs.open(runId);
  if (opened === null) return;
  const of = { ...opened, pace: paceOf(ctx, opened.run, job) };
  const due = await findDueControls(ctx.db, runId, path);
  const [first] = due;
  if (first === undefined) return;
  const engines = due.map(({ captureEngine }) => captureEngine);
  if (await isForOtherEngine(ctx, engines, first.updatedAt)) return;
  for (const result of due) {
    const { baselineFile, baselineVersionId } = result;
    const isKnown = baselineFile !== null && baselineVersionId !== null;
    const baseline = isKnown ? { ...(await readMaking(ctx, baselineVersionId)), filePath: baselineFile } : null;
    try {
      const { change, line } = await takeControl(ctx, of, result, baseline);
      await handOver(ctx, result, 'compare', change, [line]);
    } catch (error) {
      if (!(error instanceof CaptureCancelled)) throw error;
      job.signal.throwIfAborted();
      return;
    }
  }
}
