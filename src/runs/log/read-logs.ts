import type { Context } from '../../context.ts';
import { cutList, type Listed, type ListPart } from '../../db/list-part.ts';
import { invalid } from '../../errors.ts';
import type { RunFor } from '../read-run.ts';
import { findLineNumber, findLogs } from './log-store.ts';
import type { LogPlace, RunLog } from './run-log.ts';

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
