import { z } from 'zod';
import { qualified, readRows, readValues, type Db } from '../../db/database.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { decidableSql } from '../run.ts';
import { RESULT_OF_PAGE_COLUMNS, StabilityShare, type PageTimeline, type ResultOfPage } from './result-of-page.ts';

/** How many of a suite's newest runs are searched or counted. */
const RUNS = 20;

const resultsWithRuns = (db: Db) =>
  db('page_results')
    .join('test_runs', 'test_runs.id', 'page_results.test_run_id')
    .select(
      ...qualified('page_results', RESULT_OF_PAGE_COLUMNS),
      'test_runs.number as run_number',
      'test_runs.created_at as at',
    );

/** The results of a page, of all viewports or of one. */
type OfPage = { path: string; viewport?: string | undefined };

/** How many runs a chart shows. */
const RUNS_OF_CHART = 60;

/**
 * What runs found on a page, newest first. @param until the newest run to include; null: the newest of all @param ids
 * results whose runs are included as well
 */
export async function readResultsOfPage(
  db: Db,
  { id: testSuiteId }: SuiteFor,
  { path, viewport, until = null, ids = [] }: OfPage & { until?: Date | null; ids?: string[] },
): Promise<ResultOfPage[]> {
  const query = resultsWithRuns(db)
    .where({ path })
    .whereRaw(
      `test_run_id in (
         (select id from test_runs where test_suite_id = :testSuiteId and ${decidableSql('status')}
            and created_at <= coalesce(:until::timestamptz, 'infinity')
          order by created_at desc, id desc limit :runs)
         union select test_run_id from page_results where id = any(:ids::uuid[])
       )`,
      { ids, testSuiteId, until, runs: RUNS_OF_CHART },
    )
    .orderBy('test_runs.created_at', 'desc')
    .orderBy('page_results.position');
  if (viewport !== undefined) void query.where({ viewport });
  return query;
}

/** Null: the suite has no such result. */
export async function readResultOfSuite(db: Db, suite: SuiteFor, id: string): Promise<ResultOfPage | null> {
  return resultsWithRuns(db).where({ 'page_results.id': id, 'test_runs.test_suite_id': suite.id }).first();
}

const TimelineRow = z.object({
  kind: z.enum(['VERSION', 'RESULT']),
  id: z.string(),
  at: z.date(),
  total: z.number(),
});

/**
 * A part of a page's timeline, newest first: its versions, and its results in finished runs. A result that became a
 * version is listed as that version.
 */
export async function readTimeline(
  db: Db,
  { id: testSuiteId }: SuiteFor,
  { path, viewport, limit, offset }: OfPage & { limit: number; offset: number },
): Promise<PageTimeline> {
  const rows = await readRows(
    db,
    TimelineRow,
    `with entries as (
       select 'VERSION' as kind, id, approved_at as at, version as place from baseline_versions
       where test_suite_id = :testSuiteId and path = :path and viewport = coalesce(:viewport, viewport)
       union all
       select 'RESULT', page_results.id, test_runs.created_at, -position
       from page_results join test_runs on test_runs.id = page_results.test_run_id
       where test_runs.test_suite_id = :testSuiteId and ${decidableSql('test_runs.status')}
         and path = :path and viewport = coalesce(:viewport, viewport)
         and not exists (select from baseline_versions where page_result_id = page_results.id)
     )
     select kind, id, at, (select count(*)::integer from entries) as total from entries
     order by at desc, place desc, id limit :limit offset :offset`,
    { testSuiteId, path, viewport: viewport ?? null, limit, offset },
  );
  return { entries: rows.map(({ kind, id, at }) => ({ kind, id, at })), total: rows[0]?.total ?? 0 };
}

/** The paths that both this run and one of the earlier runs captured. */
export async function findRepeatedPaths(
  db: Db,
  run: { id: string; testSuiteId: string },
  paths: string[],
): Promise<string[]> {
  const captured = 'path = fresh.path and current_file is not null';
  return readValues(
    db,
    z.string(),
    `select path from unnest(cast(:paths as text[])) as fresh (path)
     where exists (select from page_results where test_run_id = :id and ${captured})
       and exists (
         select from page_results
         where test_run_id in (
           select id from test_runs
           where test_suite_id = :testSuiteId and id <> :id and ${decidableSql('status')}
           order by created_at desc, id desc limit ${RUNS}
         ) and ${captured}
       )`,
    { ...run, paths },
  );
}

/** Pages and viewports whose results are counted, those with the most unstable ones first. */
const COUNTED = 200;

/**
 * How many of the results of each page and viewport in the suite's newest runs were unstable, most often first. Pages
 * that were always stable, or that were deleted since, are left out. The index of unstable results finds the few
 * relevant rows.
 * @param paths null for every page
 */
async function findUnstable(
  db: Db,
  { id: testSuiteId }: SuiteFor,
  paths: string[] | null,
  limit: number,
): Promise<StabilityShare[]> {
  return readRows(
    db,
    StabilityShare,
    `with runs as (
       select id from test_runs where test_suite_id = :testSuiteId order by created_at desc limit :runs
     ), shaky as (
       select path, viewport, count(*) as unstable from page_results
       where test_run_id in (select id from runs) and stability = 'UNSTABLE'
         and (cast(:paths as text[]) is null or path = any(cast(:paths as text[])))
       group by path, viewport order by unstable desc, path, viewport limit :counted
     )
     select site_pages.id as page_id, shaky.path, shaky.viewport, shaky.unstable::integer, counted.results::integer
     from shaky
     join site_pages on site_pages.test_suite_id = :testSuiteId and site_pages.path = shaky.path
     cross join lateral (
       select count(*) as results from runs
       join page_results on page_results.test_run_id = runs.id
         and page_results.path = shaky.path and page_results.viewport = shaky.viewport
       where page_results.stability is not null
     ) counted
     order by shaky.unstable::double precision / counted.results desc, shaky.unstable desc, shaky.path, shaky.viewport
     limit :limit`,
    { testSuiteId, paths, limit, runs: RUNS, counted: COUNTED },
  );
}

/** How many are shown on a suite's page. */
const LEAST_STABLE = 5;

/** More than one page of the list of pages can have, at the maximum number of viewports. */
const OF_A_LIST = 1000;

/** The pages and viewports of a suite that are most often unstable, without those that never were. */
export async function readLeastStable(db: Db, suite: SuiteFor): Promise<StabilityShare[]> {
  return findUnstable(db, suite, null, LEAST_STABLE);
}

/** The unstable ones among these pages, at each viewport. */
export async function readStability(db: Db, suite: SuiteFor, paths: string[]): Promise<StabilityShare[]> {
  return paths.length === 0 ? [] : findUnstable(db, suite, paths, OF_A_LIST);
}
