import { z } from 'zod';
import { readBatches } from '../async/batches.ts';
import { readRow, readRows, readValues, type Db } from '../db/database.ts';
import { decidableSql, inFlightSql } from '../runs/run.ts';
import { FIRST_ID } from './named-object-store.ts';
import { Freed, type Limits } from './stored.ts';

/**
 * Whether something needs a row of `test_runs as run`, however old it is: it is in flight or waits for a review, its pull
 * request is open or was a week ago, it is the newest of its suite or the latest of a page, or a current baseline is from it
 * (docs/rules.md, Baselines).
 */
const NEEDED_SQL = `(
  ${inFlightSql('run.status')}
  or run.open_requests > 0
  or (run.run_type <> 'PR' and run.git_gated and run.review_state = 'PENDING' and ${decidableSql('run.status')})
  or (run.run_type = 'PR' and not exists (
    select from pull_requests as pull where pull.owner = run.git_owner and pull.repo = run.git_repo
      and pull.number = run.git_pr_number and pull.state <> 'OPEN' and pull.changed_at < :now::timestamptz - interval '7 days'
  ))
  or exists (select from page_states where page_states.test_run_id = run.id)
  or exists (
    select from baseline_versions as version join baselines on baselines.current_version_id = version.id
    where version.test_run_id = run.id
  )
  or run.id = (
    select id from test_runs as newest where newest.test_suite_id = run.test_suite_id
    order by created_at desc, id desc limit 1
  )
)`;

/**
 * Suites with their `border`: runs from before it are too old. No run goes within its first day. Null: nothing goes.
 * `:isGiven`: `:days` and `:runs` hold whatever the suite says.
 */
const BORDERS_SQL = `test_suites as suite
  cross join lateral (select
    case when :isGiven::boolean then :days::integer
      else coalesce(nullif((suite.config ->> 'keepDays')::integer, 0), :days::integer) end as days,
    case when :isGiven::boolean then :runs::integer
      else coalesce(nullif((suite.config ->> 'keepRuns')::integer, 0), :runs::integer) end as runs
  ) as kept
  cross join lateral (select greatest(
    case when kept.days > 0 then :now::timestamptz - make_interval(days => kept.days) end,
    case when kept.runs > 0 then (
      select created_at from test_runs as newest where newest.test_suite_id = suite.id
      order by created_at desc, id desc offset greatest(kept.runs - 1, 0) limit 1
    ) end
  ) as wanted) as borders
  cross join lateral (
    select case when wanted is not null then least(wanted, :now::timestamptz - interval '1 day') end as border
  ) as bounded`;

const GOING_SQL = `run.created_at < bounded.border and not ${NEEDED_SQL}`;

/** `limits`: those of the installation; with `isGiven` those that hold for the suites. */
export type Border = { now: Date; limits: Limits; isGiven: boolean };

const bind = ({ now, limits, isGiven }: Border) => ({ now, ...limits, isGiven });

/** The oldest runs of the suite that go. */
export async function findGoing(db: Db, border: Border, suiteId: string, most: number): Promise<string[]> {
  return readValues(
    db,
    z.string(),
    `select run.id from ${BORDERS_SQL}
     join test_runs as run on run.test_suite_id = suite.id
     where suite.id = :suiteId and ${GOING_SQL}
     order by run.created_at, run.id limit :most`,
    { ...bind(border), suiteId, most },
  );
}

/** How many results go with the run. Null: it stays. */
export async function countIfGoing(db: Db, border: Border, runId: string): Promise<number | null> {
  const [results] = await readValues(
    db,
    z.number(),
    `select run.total_results from test_runs as run
     join lateral (select border from ${BORDERS_SQL} where suite.id = run.test_suite_id) as bounded on true
     where run.id = :runId and ${GOING_SQL}`,
    { ...bind(border), runId },
  );
  return results ?? null;
}

/** What would be removed from a suite, or from all. Bytes are as they were last counted. */
export async function sumGoing(db: Db, border: Border, suiteId: string | null): Promise<Freed> {
  return readRow(
    db,
    Freed,
    `select count(*)::integer as runs, coalesce(sum(run.total_results), 0)::float8 as results,
       coalesce(sum(run_storage.bytes), 0)::float8 as bytes
     from ${BORDERS_SQL}
     join test_runs as run on run.test_suite_id = suite.id
     left join run_storage on run_storage.test_run_id = run.id
     where ${suiteId === null ? 'true' : 'suite.id = :suiteId'} and ${GOING_SQL}`,
    suiteId === null ? bind(border) : { ...bind(border), suiteId },
  );
}

const BATCH = 200;

const ListedRun = z.object({ id: z.string(), at: z.string(), isNeeded: z.boolean() });
type ListedRun = z.output<typeof ListedRun>;

/** Runs of the suite, oldest first, and whether something needs them. */
export const listRunsByAge = (db: Db, { suiteId, now }: { suiteId: string; now: Date }): AsyncGenerator<ListedRun[]> =>
  readBatches<ListedRun>(BATCH, async (last, limit) =>
    readRows(
      db,
      ListedRun,
      `select run.id, run.created_at::text as at, ${NEEDED_SQL} as is_needed from test_runs as run
       where run.test_suite_id = :suiteId and (run.created_at, run.id) > (:at::timestamptz, :id::uuid)
       order by run.created_at, run.id limit :limit`,
      { suiteId, now, at: last?.at ?? '-infinity', id: last?.id ?? FIRST_ID, limit },
    ),
  );
