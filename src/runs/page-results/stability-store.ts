import type { Db } from '../../db/database.ts';
import { readRows } from '../../db/read-rows.ts';
import { StabilityShare } from './stability.ts';

/** How many of a suite's newest runs are counted. */
const RUNS = 20;

/** Pages and viewports whose results are counted, those with the most unstable ones first. */
const COUNTED = 200;

/**
 * How many of the results of each page and viewport in the suite's newest runs were unstable, most often first. Pages
 * that were always stable, or that were deleted since, are left out. The index of unstable results finds the few
 * relevant rows.
 * @param paths null for every page
 */
export async function findUnstable(
  db: Db,
  testSuiteId: string,
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
