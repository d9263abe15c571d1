import type { Db } from '../../db/database.ts';
import { readRows } from '../../db/read-rows.ts';
import { LatestResultRow } from './latest-result.ts';
import { decidableSql } from '../run-sql.ts';

/**
 * The newest MANUAL run that ended by itself and captured each of the pages, in one query. Pages that were
 * never captured have no row. A cancelled run did not finish (spec 2.4).
 */
export async function findLatestResults(db: Db, testSuiteId: string, pageIds: string[]): Promise<LatestResultRow[]> {
  return readRows(
    db,
    LatestResultRow,
    `select site_pages.id as page_id, latest.test_run_id, max(page_results.diff_score) as diff_score,
            bool_and(page_results.is_new and page_results.status = 'PASS') as is_first,
            jsonb_object_agg(page_results.viewport, page_results.status) as viewports,
            coalesce(array_agg(page_results.viewport) filter (where page_results.status = 'FAIL' and page_results.approved), '{}') as approved,
            coalesce(array_agg(page_results.viewport) filter (where page_results.status = 'FAIL' and not page_results.approved and page_results.cause <> 'CHANGE'), '{}') as uncounted
     from site_pages
     cross join lateral (
       select test_runs.id as test_run_id from test_runs
       where test_runs.test_suite_id = :testSuiteId and test_runs.run_type = 'MANUAL'
         and ${decidableSql('test_runs.status')}
         and exists (select from page_results where test_run_id = test_runs.id and path = site_pages.path)
       order by test_runs.created_at desc limit 1
     ) latest
     join page_results on page_results.test_run_id = latest.test_run_id and page_results.path = site_pages.path
     where site_pages.test_suite_id = :testSuiteId and site_pages.id = any(cast(:pageIds as uuid[]))
     group by site_pages.id, latest.test_run_id`,
    { testSuiteId, pageIds },
  );
}
