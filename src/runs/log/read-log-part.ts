import type { Context } from '../../context.ts';
import type { RunFor } from '../read-run.ts';
import { countLogTypes, findLogPart, type LogPart } from './log-part-store.ts';
import type { LogType, RunLog } from './run-log.ts';

/**
 * One part of a run's log, oldest line first, for clients that do not want thousands of lines at once.
 * @returns `hasMore`: there are more lines in the requested direction.
 */
export async function readLogPart(
  ctx: Pick<Context, 'db'>,
  run: RunFor,
  part: LogPart,
): Promise<{ lines: RunLog[]; hasMore: boolean }> {
  const found = await findLogPart(ctx.db, run.id, { ...part, limit: part.limit + 1 });
  const hasMore = found.length > part.limit;
  const lines = part.after === undefined ? found.slice(-part.limit) : found.slice(0, part.limit);
  return { lines, hasMore };
}

export type LogCounts = Record<LogType, number>;

export async function countLogLines(ctx: Pick<Context, 'db'>, run: RunFor): Promise<LogCounts> {
  const counts: LogCounts = { INFO: 0, WARNING: 0, ERROR: 0, SUCCESS: 0, PROGRESS: 0, DEBUG: 0, SYSTEM: 0 };
  for (const { type, count } of await countLogTypes(ctx.db, run.id)) counts[type] = count;
  return counts;
}
