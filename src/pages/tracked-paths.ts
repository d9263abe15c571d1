import type { Context } from '../context.ts';
import { findTrackedPaths } from './site-page-store.ts';

/** Paths that a run of the suite would take, those near the root first. */
export async function trackedPaths(ctx: Pick<Context, 'db'>, suiteId: string, limit: number): Promise<string[]> {
  return findTrackedPaths(ctx.db, suiteId, limit);
}
