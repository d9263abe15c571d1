import type { Db } from '../../db/database.ts';
import { readRows } from '../../db/read-rows.ts';
import { LatestResultRow } from './latest-result.ts';

/**
 * The newest MANUAL run that ended by itself and captured each of the pages, in one query. Pages that were never
 * captured have no row. A cancelled run did not finish. The table `page_states` says which run it is.
 */
export async function findLatestResults(db: Db, testSuiteId: string, pageIds: string[]): Promise<LatestResultRow[]> {
  return readRows(
    db,
    LatestResultRow,
    `select site_pages.id as page_id, latest.test_run_id, max(page_results.diff_score) as diff_score,
            bool_and(page_results.is_new and page_results.status = 'PASS') as is_first,
            jsonb_object_agg(page_results.viewport, page_results.status) as viewports,
            coalesce(array_agg(page_results.viewport) filter (where page_results.status = 'FAIL' and page_results.approved), '{}') as approved,
            coalesce(array_agg(page_results.viewport) filter (where page_results.status = 'FAIL' and not page_results.approved and page_results.cause <> 'CHANGE'), '{}') as uncounted,
            (array_agg(coalesce(page_results.current_file, page_results.baseline_file) order by page_results.position)
              filter (where coalesce(page_results.current_file, page_results.baseline_file) is not null))[1] as screenshot
     from site_pages
     join page_states as latest on latest.test_suite_id = site_pages.test_suite_id and latest.path = site_pages.path
     join page_results on page_results.test_run_id = latest.test_run_id and page_results.path = site_pages.path
     where site_pages.test_suite_id = :testSuiteId and site_pages.id = any(cast(:pageIds as uuid[]))
     group by site_pages.id, latest.test_run_id`,
    { testSuiteId, pageIds },
  );
}
