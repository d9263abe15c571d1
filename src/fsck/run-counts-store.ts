import { z } from 'zod';
import { readRows, type Db } from '../db/database.ts';
import { CHANGED_SQL } from '../runs/results/result-sql.ts';
import { rankSection, REVIEW_SECTIONS } from '../runs/results/result.ts';
import { REVIEW_STATES, RUN_STATUSES } from '../runs/run.ts';

export async function findSuiteIds(db: Db): Promise<string[]> {
  return db('test_suites').orderBy('id').pluck('id');
}

const CountedRun = z.object({
  id: z.string(),
  suiteId: z.string(),
  status: z.enum(RUN_STATUSES),
  reviewState: z.enum(REVIEW_STATES),
  /** A pull request's run that has no preview yet. */
  awaitsPreview: z.boolean(),
  isOfPullRequest: z.boolean(),
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
  /** By section, and how many are approved: as stored in the run, and as counted from its results. */
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
  settingsHash: z.string().nullable(),
  settingsApprovedAt: z.date().nullable(),
});
export type CountedRun = z.infer<typeof CountedRun>;

const SECTIONS_SQL = REVIEW_SECTIONS.map(
  (section) => `count(*) filter (where review_rank = ${rankSection(section)})`,
).join(', ');

/** Runs with their stored counts, and the counts of their results. */
export async function countResults(db: Db, ids: readonly string[]): Promise<CountedRun[]> {
  return readRows(
    db,
    CountedRun,
    `select runs.id, runs.test_suite_id as suite_id, runs.status, runs.review_state, runs.metadata,
            runs.run_type = 'PR' as is_of_pull_request,
            (runs.run_type = 'PR' and runs.status = 'PENDING' and runs.git_enqueued is not true) as awaits_preview,
            runs.total_results as total, runs.open_requests as change_requests,
            runs.settings_hash, runs.settings_approved_at,
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
