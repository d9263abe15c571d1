import { computed } from '../../db/computed.ts';
import type { Db } from '../../db/database.ts';
import { RESULT_COLUMNS } from '../results/result-sql.ts';
import type { PageResult } from '../results/result.ts';
import { rankSection } from '../results/review-section.ts';

/** Unapproved results that differ only because of the browser. The condition on their rank uses an index. */
const OF_ENGINE_SQL = `(page_results.review_rank = ${rankSection('uncounted')} and page_results.status = 'FAIL' and page_results.cause = 'ENGINE'
  and not page_results.approved)`;

/** The newest completed run of the suite's own site, and how many of its results differ only because of the browser. */
export async function countEngineResults(db: Db, suiteId: string): Promise<{ runId: string; results: number } | null> {
  const row = await db('test_runs')
    .where({ test_suite_id: suiteId, status: 'COMPLETED', run_type: 'MANUAL' })
    .orderBy('created_at', 'desc')
    .first(
      'id as run_id',
      computed(
        db,
        'results',
        'bigint',
        `(select count(*) from page_results where test_run_id = test_runs.id and ${OF_ENGINE_SQL})`,
      ),
    );
  return row === undefined || row.results === 0 ? null : row;
}

export async function findEngineResults(db: Db, runId: string): Promise<PageResult[]> {
  return db('page_results')
    .where({ test_run_id: runId })
    .whereRaw(OF_ENGINE_SQL)
    .orderBy('position')
    .select(RESULT_COLUMNS);
}
