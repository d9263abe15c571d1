import { z } from 'zod';
import { splitIntoBatches } from '../async/batches.ts';
import { readRow, readRows, readValues, type Db } from '../db/database.ts';
import { json } from '../db/json.ts';
import { Amount, STORED_KINDS, type StoredAmounts, type SuiteStorage } from './stored.ts';

const BATCH = 5000;

/** Suites that were not counted since that time, those without a count first. */
export async function findUncounted(db: Db, before: Date, most: number): Promise<string[]> {
  return readValues(
    db,
    z.string(),
    `select suite.id from test_suites as suite left join suite_storage on suite_storage.test_suite_id = suite.id
     where suite_storage.counted_at is null or suite_storage.counted_at < :before
     order by suite_storage.counted_at nulls first limit :most`,
    { before, most },
  );
}

/** `runs`: the bytes that would go with each of them. Runs that are not among them, or that somebody is changing, have none. */
export async function saveFigures(
  trx: Db,
  suiteId: string,
  { countedAt, kinds }: SuiteStorage,
  runs: readonly { id: string; bytes: number }[],
): Promise<void> {
  await trx('suite_storage')
    .insert({ test_suite_id: suiteId, counted_at: countedAt, kinds: json(kinds) })
    .onConflict(['test_suite_id'])
    .merge(['counted_at', 'kinds']);
  await trx.raw(
    'delete from run_storage using test_runs where test_runs.id = run_storage.test_run_id and test_suite_id = :suiteId',
    { suiteId },
  );
  for (const some of splitIntoBatches(BATCH, runs)) {
    await trx.raw(
      `with given as (select * from json_to_recordset(:some::json) as given (id uuid, bytes bigint)),
       idle as (select id from test_runs where id in (select id from given) for key share skip locked)
       insert into run_storage (test_run_id, bytes) select id, bytes from given join idle using (id)`,
      { some: JSON.stringify(some) },
    );
  }
}

/** Null: it was not counted yet. */
export async function findFigures(db: Db, suiteId: string): Promise<SuiteStorage | null> {
  return db('suite_storage').where({ test_suite_id: suiteId }).first('counted_at', 'kinds');
}

/** The log of one run. */
export async function measureLog(db: Db, runId: string): Promise<Amount> {
  return readRow(
    db,
    Amount,
    `select count(*)::integer as count, coalesce(sum(pg_column_size(line.*)), 0)::float8 as bytes
     from test_run_logs as line where test_run_id = :runId`,
    { runId },
  );
}

const Total = Amount.extend({ kind: z.enum(STORED_KINDS) });

/** Of all suites. */
export async function sumFigures(db: Db): Promise<Partial<StoredAmounts>> {
  const totals = await readRows(
    db,
    Total,
    `select kind, sum((amount ->> 'count')::bigint)::float8 as count, sum((amount ->> 'bytes')::bigint)::float8 as bytes
     from suite_storage cross join lateral jsonb_each(kinds) as counted (kind, amount) group by kind`,
  );
  return Object.fromEntries(totals.map(({ kind, ...amount }) => [kind, amount]));
}

const Largest = z.object({ id: z.string(), name: z.string(), bytes: z.number(), countedAt: z.date() });
export type LargestSuite = z.output<typeof Largest>;

/** The suites that store most. */
export async function findLargest(db: Db, most: number): Promise<LargestSuite[]> {
  return readRows(
    db,
    Largest,
    `select suite.id, suite.name, counted_at, sum((amount ->> 'bytes')::bigint)::float8 as bytes
     from suite_storage join test_suites as suite on suite.id = suite_storage.test_suite_id
     cross join lateral jsonb_each(kinds) as counted (kind, amount)
     group by suite.id, suite.name, counted_at order by bytes desc, suite.id limit :most`,
    { most },
  );
}
