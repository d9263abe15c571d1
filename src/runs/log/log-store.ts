import { computed, type Db } from '../../db/database.ts';
import { storableText } from '../../text/bad-text.ts';
import type { LogType, RunLog, RunLogLine } from './run-log.ts';

const COLUMNS = ['id', 'test_run_id', 'type', 'message', 'metadata', 'progress', 'timestamp', 'created_at'] as const;

/** Messages tell what pages and servers said. */
const storable = (_key: string, value: unknown) => (typeof value === 'string' ? storableText(value) : value);

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
    { runId, count: lines.length, lines: JSON.stringify(lines, storable) },
  );
}

/** The number of a line in the run's log, from 1. Null when the line is not of this run. */
export async function findLineNumber(db: Db, runId: string, id: string): Promise<number | null> {
  return (await db('test_run_logs').where({ test_run_id: runId, id }).first('number'))?.number ?? null;
}

/** Lines by their numbers, of these types. `after`: the first ones after it. `before`: the last ones before it. */
export type LinePart = {
  types: readonly LogType[];
  after?: number | undefined;
  before?: number | undefined;
  limit: number;
};

/** Always oldest first. Without `after` and `before`: the last lines. */
export async function findLines(
  db: Db,
  runId: string,
  { types, after, before, limit }: LinePart,
): Promise<(RunLog & { number: number })[]> {
  const query = db('test_run_logs')
    .where({ test_run_id: runId })
    .whereIn('type', [...types]);
  if (after !== undefined) void query.where('number', '>', after);
  else if (before !== undefined) void query.where('number', '<', before);
  const fromStart = after !== undefined;
  const lines = await query
    .orderBy('number', fromStart ? 'asc' : 'desc')
    .limit(limit)
    .select([...COLUMNS, 'number']);
  return fromStart ? lines : lines.toReversed();
}

export async function countLogTypes(db: Db, runId: string): Promise<{ type: LogType; count: number }[]> {
  return db('test_run_logs')
    .where({ test_run_id: runId })
    .groupBy('type')
    .select('type', computed(db, 'count', 'bigint', 'count(*)'));
}
