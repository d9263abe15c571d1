import type { Context } from '../../context.ts';
import { cutList, type Listed, type ListPart } from '../../db/list-part.ts';
import { invalid } from '../../errors.ts';
import type { RunFor } from '../read-run.ts';
import { countLogTypes, findLineNumber, findLogPart, findLogs, type LogPart } from './log-store.ts';
import type { LogPlace, LogType, RunLog } from './run-log.ts';

/**
 * A part of a run's log, oldest line first.
 * @param part.afterLine the id of a line; only later lines are returned. Of two positions, the later one counts.
 * @throws AppError invalid when it is not a line of this run.
 */
export async function readLogs(
  ctx: Pick<Context, 'db'>,
  run: RunFor,
  { limit, after, afterLine }: ListPart<LogPlace> & { afterLine?: string | undefined },
): Promise<Listed<RunLog, LogPlace>> {
  const line = afterLine === undefined ? 0 : await findLineNumber(ctx.db, run.id, afterLine);
  if (line === null) {
    throw invalid('after is not the ID of a log line of this run', [
      { path: 'after', message: 'is not the ID of a log line of this run' },
    ]);
  }
  const found = await findLogs(ctx.db, run.id, { limit: limit + 1, after: [Math.max(line, after?.[0] ?? 0)] });
  return cutList(found, limit, ({ number }) => [number]);
}

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
