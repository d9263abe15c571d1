import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { findLogs } from './log-store.ts';
import type { RunFor } from '../read-run.ts';
import type { RunLog } from './run-log.ts';

/**
 * A run's log, oldest first; with `after`, only the lines after that one.
 * @throws AppError invalid when `after` is not a line of this run.
 */
export async function readLogs(ctx: Pick<Context, 'db'>, run: RunFor, after?: string): Promise<RunLog[]> {
  const logs = await findLogs(ctx.db, run.id, after);
  if (logs !== null) return logs;
  throw invalid('after is not the ID of a log line of this run', [
    { path: 'after', message: 'is not the ID of a log line of this run' },
  ]);
}
