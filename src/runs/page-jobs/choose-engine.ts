import { hostname } from 'node:os';
import { sameEngine } from '../../capture/browser/engine-parts.ts';
import type { Context, WorkerContext } from '../../context.ts';
import { findEngines, saveEngine, type SeenEngine } from './engine-store.ts';

/** A browser that captured this recently is probably still there, s. */
const RECENT = 300;

/** How long pages wait for the browser that made their other screenshots, ms. */
const PATIENCE_MS = 60_000;

/**
 * Whether another recently seen worker has the browser that made one of these screenshots, and this worker does not.
 * After a minute any browser will do.
 * @param wanted their engines; null if unknown. @param since when the page started to wait.
 */
export async function isForOtherEngine(
  ctx: Pick<WorkerContext, 'db' | 'browser' | 'clock' | 'measure'>,
  wanted: readonly (string | null)[],
  since: Date,
): Promise<boolean> {
  const own = await ctx.browser.engine();
  await saveEngine(ctx.db, own, hostname());
  const strange = wanted.filter((engine) => engine !== null).filter((engine) => !sameEngine(engine, own));
  const isUrgent = ctx.clock.now().getTime() - since.getTime() > PATIENCE_MS;
  if (strange.length > 0 && !isUrgent) {
    const others = await findEngines(ctx.db, RECENT);
    if (others.some(({ engine }) => strange.some((each) => sameEngine(each, engine)))) return true;
  }
  ctx.measure('engine_captures', { engine: own }, 1);
  return false;
}

const DAY = 24 * 3600;

/** The browsers that captured pages in the last day. More than one: differences may come from them. */
export async function listEngines({ db }: Pick<Context, 'db'>): Promise<SeenEngine[]> {
  return findEngines(db, DAY);
}
