import type { Db } from '../../db/database.ts';
import { decidableSql } from '../run-sql.ts';
import type { ResultOfPage } from './result-of-page.ts';

/** Results of a page in the newest runs of its suite that ended by themselves, newest first. */
export async function findResultsOfPage(
  db: Db,
  { testSuiteId, path }: { testSuiteId: string; path: string },
  { runs }: { runs: number },
): Promise<ResultOfPage[]> {
  return db('page_results')
    .join('test_runs', 'test_runs.id', 'page_results.test_run_id')
    .where({ path })
    .whereRaw(
      `test_runs.id in (
         select id from test_runs where test_suite_id = ? and ${decidableSql('status')}
         order by created_at desc, id desc limit ?
       )`,
      [testSuiteId, runs],
    )
    .orderBy('test_runs.created_at', 'desc')
    .orderBy('page_results.position')
    .select(
      'page_results.id',
      'page_results.test_run_id',
      'page_results.viewport',
      'page_results.status',
      'page_results.cause',
      'page_results.approved',
      'page_results.is_new',
      'page_results.diff_score',
      'page_results.stability',
      'page_results.screenshots',
      'test_runs.number as run_number',
      'test_runs.created_at as at',
    );
}
