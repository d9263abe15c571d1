import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { readRows } from '../db/read-rows.ts';
import { REVIEW_SECTIONS } from '../review/list/review-section.ts';
import { CHANGED_SQL } from '../runs/results/result-sql.ts';
import { REVIEW_STATES, RUN_STATUSES } from '../runs/run.ts';
import { inFlightSql } from '../runs/run-sql.ts';

const Ids = z.object({ id: z.string() });

/** By id. */
export async function findRunIds(db: Db, after: string | null, limit: number): Promise<string[]> {
  const sql = `select id from test_runs ${after === null ? '' : 'where id > :after::uuid'} order by id limit :limit`;
  return (await readRows(db, Ids, sql, after === null ? { limit } : { after, limit })).map(({ id }) => id);
}

export async function findPullRequestRunIds(db: Db, after: string | null, limit: number): Promise<string[]> {
  const sql = `select id from test_runs
    where run_type = 'PR' ${after === null ? '' : 'and id > :after::uuid'} order by id limit :limit`;
  return (await readRows(db, Ids, sql, after === null ? { limit } : { after, limit })).map(({ id }) => id);
}

const CountedRun = z.object({
  id: z.string(),
  suiteId: z.string(),
  status: z.enum(RUN_STATUSES),
  reviewState: z.enum(REVIEW_STATES),
  metadata: z
    .object({
      totalPages: z.number().optional(),
      totalScreenshots: z.number().optional(),
      passedTests: z.number().optional(),
      failedTests: z.number().optional(),
      errorTests: z.number().optional(),
    })
    .nullable(),
  total: z.number(),
  /** By section, and approved: as the run says, and as its results say. */
  saidSections: z.array(z.number()),
  saidApproved: z.number(),
  sections: z.array(z.number()),
  allApproved: z.number(),
  results: z.number(),
  pages: z.number(),
  screenshots: z.number(),
  pending: z.number(),
  passed: z.number(),
  failed: z.number(),
  errors: z.number(),
  changed: z.number(),
  approved: z.number(),
  changeRequests: z.number(),
  settings: z.enum(REVIEW_STATES),
});
export type CountedRun = z.infer<typeof CountedRun>;

const SECTIONS_SQL = REVIEW_SECTIONS.map((_, rank) => `count(*) filter (where review_rank = ${rank})`).join(', ');

/** Runs with what they say of their results, and the results counted. */
export async function countResults(db: Db, ids: readonly string[]): Promise<CountedRun[]> {
  return readRows(
    db,
    CountedRun,
    `select runs.id, runs.test_suite_id as suite_id, runs.status, runs.review_state, runs.metadata,
            runs.total_results as total, runs.open_requests as change_requests,
            case when runs.settings_hash is null then 'NOT_REQUIRED'
                 when runs.settings_approved_at is null then 'PENDING' else 'APPROVED' end as settings,
            runs.section_counts as said_sections, runs.approved_results as said_approved, counted.*
     from test_runs as runs
     cross join lateral (
       select count(*)::integer as results, count(distinct path)::integer as pages,
              count(current_file)::integer as screenshots,
              count(*) filter (where status = 'PENDING')::integer as pending,
              count(*) filter (where status = 'PASS')::integer as passed,
              count(*) filter (where status = 'FAIL')::integer as failed,
              count(*) filter (where status = 'ERROR')::integer as errors,
              count(*) filter (where ${CHANGED_SQL})::integer as changed,
              count(*) filter (where ${CHANGED_SQL} and approved)::integer as approved,
              count(*) filter (where page_results.approved)::integer as all_approved,
              array[${SECTIONS_SQL}]::integer[] as sections
       from page_results
       where page_results.test_run_id = runs.id
     ) as counted
     where runs.id = any(:ids::uuid[])`,
    { ids: [...ids] },
  );
}

const OpenRun = z.object({
  id: z.string(),
  suiteId: z.string(),
  awaitsPreview: z.boolean(),
  hasPending: z.boolean(),
});
export type OpenRun = z.infer<typeof OpenRun>;

const OPEN_RUN_SQL = `select id, test_suite_id as suite_id,
    (run_type = 'PR' and status = 'PENDING' and git_enqueued is not true) as awaits_preview,
    exists (
      select from page_results where page_results.test_run_id = test_runs.id and page_results.status = 'PENDING'
    ) as has_pending
  from test_runs where ${inFlightSql('status')}`;

/** Runs in flight, by id. */
export async function findOpenRuns(db: Db, after: string | null, limit: number): Promise<OpenRun[]> {
  const sql = `${OPEN_RUN_SQL} ${after === null ? '' : 'and id > :after::uuid'} order by id limit :limit`;
  return readRows(db, OpenRun, sql, after === null ? { limit } : { after, limit });
}

/** Null when the run is over by now. */
export async function findOpenRun(db: Db, id: string): Promise<OpenRun | null> {
  const [run] = await readRows(db, OpenRun, `${OPEN_RUN_SQL} and id = ?`, [id]);
  return run ?? null;
}
