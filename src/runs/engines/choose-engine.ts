import { hostname } from 'node:os';
import type { Baseline } from '../../baselines/baseline.ts';
import { sameEngine } from '../../capture/same-engine.ts';
import type { WorkerContext } from '../../context.ts';
import { queueCaptureLater } from '../page-jobs/queue-captures.ts';
import type { Run } from '../run.ts';
import { findEngines, saveEngine } from './engine-store.ts';

/** A browser that captured this recently is probably still there, s. */
const RECENT = 300;

/** How long after the start of a run its pages wait for the browser of their baselines, ms. */
const PATIENCE_MS = 60_000;

/** How long a page is left to others, ms. */
const PAUSE_MS = 2000;

/**
 * Leaves a page whose baselines were made by another browser to a worker that has that browser, if one was seen lately.
 * After a minute any browser will do.
 * @returns true when the page was queued again.
 */
export async function leaveToOtherEngine(
  ctx: Pick<WorkerContext, 'db' | 'browser' | 'clock' | 'measure'>,
  run: Run,
  path: string,
  baselines: readonly Pick<Baseline, 'captureEngine'>[],
): Promise<boolean> {
  const own = await ctx.browser.engine();
  await saveEngine(ctx.db, own, hostname());
  const strange = baselines.flatMap(({ captureEngine }) =>
    captureEngine === null || sameEngine(captureEngine, own) ? [] : [captureEngine],
  );
  const now = ctx.clock.now().getTime();
  const isUrgent = now - (run.startedAt ?? run.createdAt).getTime() > PATIENCE_MS;
  if (strange.length > 0 && !isUrgent) {
    const others = await findEngines(ctx.db, RECENT);
    if (others.some(({ engine }) => strange.some((wanted) => sameEngine(wanted, engine)))) {
      await queueCaptureLater(ctx.db, run, path, new Date(now + PAUSE_MS));
      return true;
    }
  }
  ctx.measure('engine_captures', { engine: own }, 1);
  return false;
}
