import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { findLogs } from './log-store.ts';
import { getRunFor } from './read-run.ts';
import type { RunLog } from './run-log.ts';

/**
 * A run's log, oldest first; with `after` only the lines behind that one.
 * @throws AppError not_found; invalid when `after` is not a line of this run.
 */
export async function readLogs(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  runId: string,
  after?: string,
): Promise<RunLog[]> {
  await getRunFor(ctx, viewer, runId, 'suite.read');
  const logs = await findLogs(ctx.db, runId, after);
  if (logs !== null) return logs;
  throw invalid('after is not the ID of a log line of this run', [
    { path: 'after', message: 'is not the ID of a log line of this run' },
  ]);
}
