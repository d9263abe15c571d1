import { z } from 'zod';
import type { Db } from '../../db/database.ts';
import type { ListPart } from '../../db/list-part.ts';
import { readRows } from '../../db/read-rows.ts';
import { decidableSql } from '../run-sql.ts';
import type { LogPlace, RunLog, RunLogLine } from './run-log.ts';

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

/** Whether the run's log contains exactly this line. */
export async function hasLogLine(db: Db, runId: string, message: string): Promise<boolean> {
  return (await db('test_run_logs').where({ test_run_id: runId, message }).first('id')) !== undefined;
}

/** The warnings about one page at one viewport, oldest first, without those that its result has as well. */
export async function findWarnings(
  db: Db,
  { testRunId, path, viewport }: { testRunId: string; path: string; viewport: string },
  limit: number,
): Promise<string[]> {
  const rows = await db('test_run_logs')
    .where({ test_run_id: testRunId, type: 'WARNING' })
    .whereRaw(
      "metadata ->> 'path' = ? and metadata ->> 'viewport' = ? and metadata ->> 'code' not in ('cut', 'unstable')",
      [path, viewport],
    )
    .orderBy('number')
    .limit(limit)
    .select('message');
  return rows.map(({ message }) => message);
}

const Warned = z.object({ code: z.string(), pages: z.int(), timeout: z.number().nullable() });

/**
 * By the code of a warning: the pages that have it in the newest run of the suite's own site, and the highest
 * `settle.timeout` that one of them needs, ms. Null: unknown.
 */
export async function countWarnedPages(
  db: Db,
  testSuiteId: string,
  codes: string[],
): Promise<Map<string, { pages: number; timeout: number | null }>> {
  const rows = await readRows(
    db,
    Warned,
    `select metadata ->> 'code' as code, count(distinct metadata ->> 'path')::int as pages,
            max((metadata ->> 'timeout')::double precision) as timeout
     from test_run_logs
     where type = 'WARNING' and metadata ->> 'code' = any(:codes) and test_run_id = (
       select id from test_runs
       where test_suite_id = :testSuiteId and run_type = 'MANUAL' and ${decidableSql('status')}
       order by created_at desc limit 1
     )
     group by metadata ->> 'code'`,
    { testSuiteId, codes },
  );
  return new Map(rows.map(({ code, ...counts }) => [code, counts]));
}
