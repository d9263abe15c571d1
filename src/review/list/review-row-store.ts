import { personColumn } from '../../auth/person-sql.ts';
import { qualified, type Db } from '../../db/database.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { RESULT_COLUMNS } from '../../runs/results/result-sql.ts';
import { findSection } from '../../runs/results/result.ts';
import type { Run } from '../../runs/run.ts';
import { hasApprovedEarlierSql } from './review-list-sql.ts';
import { REVIEW_ROW_COLUMNS, type ReviewedResult, type ReviewHeading, type ReviewRow } from './review-row.ts';

const reviewRows = (db: Db) =>
  db('page_results')
    .leftJoin('users', 'users.id', 'page_results.approved_by')
    .select([
      ...qualified('page_results', REVIEW_ROW_COLUMNS),
      'page_results.cause_pr_number as cause_pull_request',
      personColumn(db, 'approved_by', 'users'),
    ]);

const toReviewRow = (row: Omit<ReviewRow, 'section' | 'heading'>): Omit<ReviewRow, 'heading'> => ({
  ...row,
  section: findSection(row),
});

/** Whether the filter `sinceMine` can be used: the viewer approved something in an earlier run of the pull request. */
export async function hasApprovedEarlier(db: Db, run: RunFor): Promise<boolean> {
  const row = await db('test_runs')
    .where({ id: run.id })
    .whereRaw(...hasApprovedEarlierSql(run))
    .first('id');
  return row !== null;
}

/** These results, in this order, each with its heading from `headings`. */
export async function findReviewRows(db: Db, headings: Map<string, ReviewHeading>): Promise<ReviewRow[]> {
  const rows = await reviewRows(db).whereRaw('page_results.id = any(?)', [[...headings.keys()]]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...headings].flatMap(([id, heading]) => {
    const row = byId.get(id);
    return row === undefined ? [] : [{ ...toReviewRow(row), heading }];
  });
}

/** All results of one page, not filtered, in the order of the run's viewports. */
export async function findReviewRowsOfPage(db: Db, runId: string, path: string): Promise<Omit<ReviewRow, 'heading'>[]> {
  const rows = await reviewRows(db).where({ test_run_id: runId, path }).orderBy('page_results.position');
  return rows.map(toReviewRow);
}

/**
 * A result with the number of the version it was compared with, and with the page as it is in the suite now. Null when
 * the result is not of that run.
 */
export async function findReviewedResult(
  db: Db,
  run: Pick<Run, 'id' | 'testSuiteId'>,
  resultId: string,
): Promise<ReviewedResult | null> {
  return db('page_results')
    .leftJoin('users', 'users.id', 'page_results.approved_by')
    .leftJoin('baseline_versions', 'baseline_versions.id', 'page_results.baseline_version_id')
    .leftJoin('site_pages', (join) =>
      join.on('site_pages.path', 'page_results.path').andOnVal('site_pages.test_suite_id', run.testSuiteId),
    )
    .where({ 'page_results.id': resultId, 'page_results.test_run_id': run.id })
    .first([
      ...RESULT_COLUMNS,
      personColumn(db, 'approved_by', 'users'),
      'baseline_versions.version as baseline_version',
      'site_pages.id as page_id',
      'site_pages.title as page_title',
    ]);
}

/** What the suite knows about pages now, by path. */
export async function findPagesOfRun(
  db: Db,
  run: Pick<Run, 'testSuiteId'>,
  paths: string[],
): Promise<Map<string, { id: string; title: string | null }>> {
  const rows = await db('site_pages')
    .where({ test_suite_id: run.testSuiteId })
    .whereRaw('path = any(?)', [paths])
    .select('path', 'id', 'title');
  return new Map(rows.map(({ path, ...page }) => [path, page]));
}
