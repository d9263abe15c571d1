import { computed } from '../../db/computed.ts';
import type { Db } from '../../db/database.ts';
import type { ListPart } from '../../db/list-part.ts';
import type { LogPlace, LogType, RunLog, RunLogLine } from './run-log.ts';

const COLUMNS = ['id', 'test_run_id', 'type', 'message', 'metadata', 'progress', 'timestamp', 'created_at'] as const;

/**
 * Appends lines in order. Their numbers come from the run's row, so that lines become visible in the order of their
 * numbers. Writes nothing when the run was deleted.
 */
export async function appendLogs(db: Db, runId: string, lines: RunLogLine[]): Promise<void> {
  if (lines.length === 0) return;
  await db.raw(
    `with last as (
       update test_runs set last_log_number = last_log_number + :count where id = :runId
       returning id, last_log_number - :count as number
     )
     insert into test_run_logs (test_run_id, number, type, message, metadata, progress, timestamp)
     select last.id, last.number + line.place, line.entry ->> 'type', line.entry ->> 'message',
            nullif(line.entry -> 'metadata', 'null'), (line.entry ->> 'progress')::double precision, clock_timestamp()
     from last cross join jsonb_array_elements(:lines::jsonb) with ordinality as line (entry, place)`,
    { runId, count: lines.length, lines: JSON.stringify(lines).replaceAll('\\u0000', '') },
  );
}

/** The number of a line in the run's log, from 1. Null when the line is not of this run. */
export async function findLineNumber(db: Db, runId: string, id: string): Promise<number | null> {
  return (await db('test_run_logs').where({ test_run_id: runId, id }).first('number'))?.number ?? null;
}

/** Oldest first. */
export async function findLogs(
  db: Db,
  runId: string,
  { limit, after }: ListPart<LogPlace>,
): Promise<(RunLog & { number: number })[]> {
  return db('test_run_logs')
    .where({ test_run_id: runId })
    .where('number', '>', after?.[0] ?? 0)
    .orderBy('number')
    .limit(limit)
    .select([...COLUMNS, 'number']);
}

/** `after` and `before` are ids of lines. `after`: the first lines after it. `before`: the last lines before it. */
export type LogPart = {
  types: readonly LogType[];
  after?: string | undefined;
  before?: string | undefined;
  limit: number;
};

/** Always oldest first. Without `after` and `before`: the last lines. Empty when the named line is not of this run. */
export async function findLogPart(db: Db, runId: string, { types, after, before, limit }: LogPart): Promise<RunLog[]> {
  const findLineNumber = (id: string) => db('test_run_logs').where({ test_run_id: runId, id }).select('number');
  const query = db('test_run_logs')
    .where({ test_run_id: runId })
    .whereIn('type', [...types]);
  if (after !== undefined) void query.where('number', '>', findLineNumber(after));
  else if (before !== undefined) void query.where('number', '<', findLineNumber(before));
  const fromStart = after !== undefined;
  const lines = await query
    .orderBy('number', fromStart ? 'asc' : 'desc')
    .limit(limit)
    .select(COLUMNS);
  return fromStart ? lines : lines.toReversed();
}

export async function countLogTypes(db: Db, runId: string): Promise<{ type: LogType; count: number }[]> {
  return db('test_run_logs')
    .where({ test_run_id: runId })
    .groupBy('type')
    .select('type', computed(db, 'count', 'bigint', 'count(*)'));
}
