import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { readRow, readRows, readValues, type Db } from '../../db/database.ts';
import { FREE_DEATHS, type PageOfJob } from '../../queue/job.ts';
import { DEFAULT_CONFIG } from '../../suites/config/suite-config.ts';
import { inFlightSql, type Run } from '../run.ts';
import { LATER_MS, LIMITS, MAX_ATTEMPTS, WEIGHTS, type PageWork, type Slot } from './page-work.ts';

/**
 * The next step of a result. 0: its control screenshot, soon after the preview, so that both show the same time. 1: its
 * screenshot. 2: its comparison.
 */
const STAGE = "(case when page.control_state = 'DUE' then 0 when page.current_file is null then 1 else 2 end)";

/** Work that waits or is in progress. `page_results_pending_index` has it in `ORDER`. */
const TO_DO: Readonly<Record<PageWork, string>> = {
  capture: `page.status = 'PENDING' and ${STAGE} <= 1`,
  compare: `page.status = 'PENDING' and ${STAGE} = 2`,
};

/** Pages during which a worker died come last. */
const ORDER = `${STAGE}, page.deaths, page.position`;

const waits = (work: PageWork) => `${TO_DO[work]} and page.taken_by is null and page.attempts < ${MAX_ATTEMPTS}`;
const IS_DUE = '(page.due_at is null or page.due_at <= now())';

const WEIGHT = `(case run.run_type ${Object.entries(WEIGHTS)
  .map(([type, weight]) => `when '${type}' then ${weight}`)
  .join(' ')} end)`;

const OF_SUITE = `run.test_suite_id = :suiteId and ${inFlightSql('run.status')}`;

/** Runs that the slot works for. One that was opened for a run with a higher limit leaves the others alone. */
const ofSlot = (work: PageWork) =>
  `${OF_SUITE} and coalesce((run.config ->> '${LIMITS[work]}')::integer, ${DEFAULT_CONFIG[LIMITS[work]]}) > :slot`;

const TakenPage = z.object({ runId: z.string(), path: z.string(), captures: z.boolean(), controls: z.boolean() });
/** `captures`, `controls`: whether to capture it, and whether to capture it on the suite's own site. */
export type TakenPage = z.infer<typeof TakenPage>;

/**
 * Takes the next page of the suite's runs in flight, with all viewports that wait. The run is locked first, in the same
 * order as when results are settled or cancelled.
 */
export async function takePage(db: Db, work: PageWork, slot: Slot, taker: string): Promise<TakenPage | null> {
  const turn = work === 'capture' ? `run.turn + ${WEIGHT}, ` : '';
  const [taken] = await readRows(
    db,
    TakenPage,
    `with next_run as materialized (
      select run.id from test_runs as run
      cross join lateral (
        select ${STAGE} as stage from page_results as page
        where page.test_run_id = run.id and ${waits(work)} and ${IS_DUE} order by ${ORDER} limit 1
      ) as first_page
      where ${ofSlot(work)}
      order by first_page.stage, ${turn}${WEIGHT}, run.created_at, run.id
      limit 1 for update of run
    ), next_page as materialized (
      select page.test_run_id, page.path from page_results as page
      where page.test_run_id = (select id from next_run) and ${waits(work)} and ${IS_DUE}
      order by ${ORDER} limit 1 for update of page skip locked
    ), taken as (
      update page_results as page set taken_by = :taker from next_page
      where page.test_run_id = next_page.test_run_id and page.path = next_page.path and ${waits(work)} and ${IS_DUE}
      returning page.test_run_id, page.path, page.current_file is null as captures, page.control_state is not null as controls
    ), turned as (
      update test_runs as run set turn = run.turn + ${work === 'capture' ? WEIGHT : 0} from next_page
      where run.id = next_page.test_run_id and ${work === 'capture'}
    )
    select test_run_id as run_id, path, bool_or(captures) as captures, bool_or(controls) as controls
    from taken group by test_run_id, path`,
    { ...slot, taker },
  );
  return taken ?? null;
}

/** Work on the page that the taker has not done may be taken again after this time. */
export async function leavePage(db: Db, taker: string, { runId, path }: PageOfJob, afterMs: number): Promise<void> {
  await db.raw(
    `update page_results set taken_by = null, due_at = now() + :afterMs * interval '1 millisecond'
     where test_run_id = :runId and path = :path and status = 'PENDING' and taken_by = :taker`,
    { runId, path, taker, afterMs },
  );
}

/** Counts a failure of the work that they had taken on the page. */
export async function failPage(db: Db, takers: readonly string[], { runId, path }: PageOfJob): Promise<void> {
  await db.raw(
    `update page_results
     set taken_by = null, attempts = attempts + 1, due_at = now() + exp(attempts + 1) * interval '1 second'
     where test_run_id = :runId and path = :path and status = 'PENDING' and taken_by = any(:takers)`,
    { runId, path, takers: [...takers] },
  );
}

const Taker = z.object({ taker: z.string(), jobId: z.string() });
export type Taker = z.infer<typeof Taker>;

/** Identifies one delivery of a job. If the job is delivered again, earlier work belongs to another taker. */
export const newTaker = (jobId: string) => `${jobId}/${randomUUID()}`;

/**
 * Frees the work that they had taken. With `areDead` a worker died during each of these pages. Pages to which this
 * happens again are retried at different times, so that the one that kills its worker is found. @returns the runs.
 */
export async function freePages(db: Db, takers: readonly string[], areDead: boolean): Promise<string[]> {
  return readValues(
    db,
    z.string(),
    `with freed as (
      update page_results
      set taken_by = null, deaths = deaths + :deaths,
        attempts = attempts + case when deaths >= ${FREE_DEATHS} then :deaths else 0 end,
        due_at = now() + :deaths * deaths * (hashtext(path || deaths) & 127) * interval '16 milliseconds'
      where status = 'PENDING' and taken_by = any(:takers) returning test_run_id
    )
    select distinct test_run_id as run_id from freed order by test_run_id`,
    { takers: [...takers], deaths: areDead ? 1 : 0 },
  );
}

/** Who has taken pages. */
export async function findTakers(db: Db): Promise<Taker[]> {
  return readRows(
    db,
    Taker,
    `select distinct taken_by as taker, split_part(taken_by, '/', 1) as job_id
     from page_results where status = 'PENDING' and taken_by is not null`,
  );
}

/** The takers that these jobs have used. */
export const findTakersOf = async (db: Db, jobIds: readonly string[]): Promise<string[]> =>
  (await findTakers(db)).filter(({ jobId }) => jobIds.includes(jobId)).map(({ taker }) => taker);

/** Results that have failed too often. */
export async function findFailedIds(db: Db): Promise<string[]> {
  const sql = `select id from page_results where status = 'PENDING' and attempts >= ${MAX_ATTEMPTS}`;
  return readValues(db, z.string(), sql);
}

const Waiting = z.object({ userId: z.string(), runAt: z.date().nullable() });

/** When the slot should look for work again, and the owner of the suite. Null: nothing waits for it. */
export async function findWaiting(db: Db, work: PageWork, slot: Slot): Promise<{ userId: string; runAt: Date } | null> {
  const waiting = `from test_runs as run join page_results as page on page.test_run_id = run.id and ${waits(work)}
    where ${ofSlot(work)}`;
  const [found] = await readRows(
    db,
    Waiting,
    `select user_id, case when exists (select ${waiting} and ${IS_DUE}) then now()
       else (select least(min(page.due_at), now() + ${LATER_MS} * interval '1 millisecond') ${waiting} having count(*) > 0) end as run_at
     from test_suites where id = :suiteId`,
    slot,
  );
  return found === undefined || found.runAt === null ? null : { userId: found.userId, runAt: found.runAt };
}

const Demand = z.object({ userId: z.string(), pages: z.number() });

/** How many pages of the suite wait or are in progress, counted up to the limit, and the owner of the suite. */
export async function findDemand(
  db: Db,
  work: PageWork,
  { testSuiteId: suiteId, config }: Pick<Run, 'testSuiteId' | 'config'>,
  limit: number,
): Promise<z.infer<typeof Demand> | null> {
  const [demand] = await readRows(
    db,
    Demand,
    `select user_id, (
       select count(*)::integer from (
         select distinct found.test_run_id, found.path from (
           select page.test_run_id, page.path from test_runs as run
           join page_results as page on page.test_run_id = run.id and ${TO_DO[work]}
           where ${OF_SUITE} limit :results
         ) as found
       ) as counted
     ) as pages from test_suites where id = :suiteId`,
    { suiteId, results: limit * config.viewports.length },
  );
  return demand === undefined ? null : { ...demand, pages: Math.min(demand.pages, limit) };
}

/** Gives a new run the same turn as the runs in progress, so that neither has to wait for the other. */
export async function joinTurns(db: Db, { id, testSuiteId: suiteId }: Pick<Run, 'id' | 'testSuiteId'>): Promise<void> {
  await db.raw(
    `update test_runs set turn = coalesce((
       select min(run.turn) from test_runs as run where ${OF_SUITE} and run.id <> :id
         and exists (select from page_results as page where page.test_run_id = run.id and ${TO_DO.capture})
     ), 0) where id = :id`,
    { id, suiteId },
  );
}

/** The kinds of work on pages of the run that wait or are in progress. */
export async function findOpenWork(db: Db, runId: string): Promise<PageWork[]> {
  return readValues(
    db,
    z.enum(['capture', 'compare']),
    `select work.name as work from (values ('capture'), ('compare')) as work(name)
     where exists (
       select from page_results as page where page.test_run_id = :runId
         and case work.name when 'capture' then ${TO_DO.capture} else ${TO_DO.compare} end
     )`,
    { runId },
  );
}

const PageCounts = z.object({ waiting: z.number(), working: z.number() });

/** Screenshots of all runs in flight, over all hosts: those that wait, and those in progress. */
export async function countPages(db: Db): Promise<z.infer<typeof PageCounts>> {
  return readRow(
    db,
    PageCounts,
    `select count(*) filter (where taken_by is null)::integer as waiting,
            count(*) filter (where taken_by is not null)::integer as working
     from page_results where status = 'PENDING'`,
  );
}
