import type { Db } from '../../db/database.ts';
import type { RunLog, RunLogLine } from './run-log.ts';

const COLUMNS = ['id', 'test_run_id', 'type', 'message', 'metadata', 'progress', 'timestamp', 'created_at'] as const;

/**
 * Appends lines in order. The run's row gives out their numbers, so lines become visible in the order of their numbers.
 * Writes nothing when the run was deleted.
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

/** Oldest first; with `after` (a line's id), only later lines. Null when that line is not of this run. */
export async function findLogs(db: Db, runId: string, after: string | undefined): Promise<RunLog[] | null> {
  const query = db('test_run_logs').where({ test_run_id: runId }).orderBy('number');
  if (after !== undefined) {
    const last = await db('test_run_logs').where({ test_run_id: runId, id: after }).first('number');
    if (last === undefined) return null;
    void query.where('number', '>', last.number);
  }
  return query.select(COLUMNS);
}

/** Whether the run's log has this very line. */
export async function hasLogLine(db: Db, runId: string, message: string): Promise<boolean> {
  return (await db('test_run_logs').where({ test_run_id: runId, message }).first('id')) !== undefined;
}
