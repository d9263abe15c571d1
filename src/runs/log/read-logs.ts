import type { Context } from '../../context.ts';
import { cutList, type Listed, type ListPart } from '../../db/list-part.ts';
import { invalid } from '../../errors.ts';
import type { RunFor } from '../read-run.ts';
import { countLogTypes, findLineNumber, findLines, type LinePart } from './log-store.ts';
import { LOG_TYPES, type LogPlace, type LogType, type RunLog } from './run-log.ts';

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
  const part = { types: LOG_TYPES, limit: limit + 1, after: Math.max(line, after?.[0] ?? 0) };
  const found = await findLines(ctx.db, run.id, part);
  return cutList(found, limit, ({ number }) => [number]);
}

/** `after` and `before` are ids of lines. */
type LogPart = Omit<LinePart, 'after' | 'before'> & { after?: string | undefined; before?: string | undefined };

/**
 * One part of a run's log, oldest line first, for clients that do not want thousands of lines at once. Empty when the
 * named line is not of this run.
 * @returns `hasMore`: there are more lines in the requested direction.
 */
export async function readLogPart(
  { db }: Pick<Context, 'db'>,
  run: RunFor,
  { types, limit, after, before }: LogPart,
): Promise<{ lines: RunLog[]; hasMore: boolean }> {
  const named = after ?? before;
  const number = named === undefined ? undefined : await findLineNumber(db, run.id, named);
  if (number === null) return { lines: [], hasMore: false };
  const from = after === undefined ? { before: number } : { after: number };
  const found = await findLines(db, run.id, { types, limit: limit + 1, ...from });
  return { lines: after === undefined ? found.slice(-limit) : found.slice(0, limit), hasMore: found.length > limit };
}

export type LogCounts = Record<LogType, number>;

export async function countLogLines(ctx: Pick<Context, 'db'>, run: RunFor): Promise<LogCounts> {
  const counts: LogCounts = { INFO: 0, WARNING: 0, ERROR: 0, SUCCESS: 0, PROGRESS: 0, DEBUG: 0, SYSTEM: 0 };
  for (const { type, count } of await countLogTypes(ctx.db, run.id)) counts[type] = count;
  return counts;
}
