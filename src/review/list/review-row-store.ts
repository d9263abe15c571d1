import type { ApproverRow } from '../../baselines/approver-sql.ts';
import { APPROVER_COLUMNS, withApprover } from '../../baselines/approver-sql.ts';
import { computed } from '../../db/computed.ts';
import type { Db } from '../../db/database.ts';
import { qualified } from '../../db/qualified.ts';
import type { ReviewList } from './review-list-sql.ts';
import { hasApprovedEarlierSql, inListSql } from './review-list-sql.ts';
import { findSection } from './review-section.ts';
import type { Part, ReviewPlace, ReviewRow, ReviewedResult } from './review-row.ts';
import { RESULT_COLUMNS } from '../../runs/results/result-sql.ts';
import type { Run } from '../../runs/run.ts';

const ORDER = qualified('page_results', ['review_rank', 'review_weight', 'position']);

/** The columns of a `ReviewRow`, without its approver. */
export const REVIEW_ROW_COLUMNS = [
  ...qualified('page_results', [
    'id',
    'path',
    'viewport',
    'status',
    'cause',
    'cause_version',
    'faint',
    'stability',
    'screenshots',
    'cut',
    'is_new',
    'diff_score',
    'approved',
    'approved_by',
    'approved_at',
    'error',
    'current_file',
    'baseline_file',
    'diff_file',
  ]),
  'page_results.cause_pr_number as cause_pull_request',
] as const;

type RowOfStore = Omit<ReviewRow, 'section' | 'approvedBy'> & ApproverRow;

const toReviewRow = (row: RowOfStore): ReviewRow => ({ ...withApprover(row), section: findSection(row) });

const filterResults = (db: Db, list: ReviewList) => db('page_results').whereRaw(...inListSql(list));

/** Whether the filter `sinceMine` can be used: the viewer approved something in an earlier run of the pull request. */
export async function hasApprovedEarlier(db: Db, list: Pick<ReviewList, 'run' | 'viewerId'>): Promise<boolean> {
  const row = await db('test_runs')
    .where({ id: list.run.id })
    .whereRaw(...hasApprovedEarlierSql(list))
    .first('id');
  return row !== undefined;
}

export async function findReviewRows(db: Db, list: ReviewList, { limit, offset }: Part): Promise<ReviewRow[]> {
  const rows = await filterResults(db, list)
    .leftJoin('users', 'users.id', 'page_results.approved_by')
    .orderBy(ORDER)
    .limit(limit)
    .offset(offset)
    .select([...REVIEW_ROW_COLUMNS, ...APPROVER_COLUMNS]);
  return rows.map(toReviewRow);
}

/** All results of one page, not filtered, in the order of the run's viewports. */
export async function findReviewRowsOfPage(db: Db, runId: string, path: string): Promise<ReviewRow[]> {
  const rows = await db('page_results')
    .where({ test_run_id: runId, path })
    .leftJoin('users', 'users.id', 'page_results.approved_by')
    .orderBy('page_results.position')
    .select([...REVIEW_ROW_COLUMNS, ...APPROVER_COLUMNS]);
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
  const row = await db('page_results')
    .leftJoin('users', 'users.id', 'page_results.approved_by')
    .leftJoin('baseline_versions', 'baseline_versions.id', 'page_results.baseline_version_id')
    .leftJoin('site_pages', (join) =>
      join.on('site_pages.path', 'page_results.path').andOnVal('site_pages.test_suite_id', run.testSuiteId),
    )
    .where({ 'page_results.id': resultId, 'page_results.test_run_id': run.id })
    .first([
      ...RESULT_COLUMNS,
      ...ORDER,
      'page_results.approved_by',
      ...APPROVER_COLUMNS,
      'baseline_versions.version as baseline_version',
      'site_pages.id as page_id',
      'site_pages.title as page_title',
    ]);
  return row === undefined ? null : withApprover(row);
}

const tuple = ({ reviewRank, reviewWeight, position }: ReviewPlace) => [reviewRank, reviewWeight, position];
const compared = (sign: '<' | '<=' | '=' | '>') => `(${ORDER.join(', ')}) ${sign} (?, ?, ?)`;

/** The rows after the place, nearest first. The place itself need not be in the list. */
export async function findRowsAfter(db: Db, list: ReviewList, place: ReviewPlace, limit: number): Promise<ReviewRow[]> {
  const rows = await filterResults(db, list)
    .whereRaw(compared('>'), tuple(place))
    .leftJoin('users', 'users.id', 'page_results.approved_by')
    .orderBy(ORDER)
    .limit(limit)
    .select([...REVIEW_ROW_COLUMNS, ...APPROVER_COLUMNS]);
  return rows.map(toReviewRow);
}

/** The row before the place. The place itself need not be in the list. */
export async function findBefore(
  db: Db,
  list: ReviewList,
  place: ReviewPlace,
): Promise<{ id: string; reviewRank: number } | null> {
  const row = await filterResults(db, list)
    .whereRaw(compared('<'), tuple(place))
    .orderBy(ORDER.map((column) => ({ column, order: 'desc' as const })))
    .first('page_results.id', 'page_results.review_rank');
  return row ?? null;
}

/** The next row after the result; after the last row, the first one. Null when there is no other row. */
export async function findNextInTurn(
  db: Db,
  list: ReviewList,
  { id, ...place }: ReviewPlace & { id: string },
): Promise<string | null> {
  const row = await filterResults(db, list)
    .whereNot({ 'page_results.id': id })
    .orderByRaw(`${compared('>')} desc`, tuple(place))
    .orderBy(ORDER)
    .first('page_results.id');
  return row?.id ?? null;
}

/** Counts in one section of a list: all results, and those up to the place; and whether the place itself is listed. */
type PlacedCount = { reviewRank: number; results: number; upTo: number; isListed: boolean };

export async function countUpTo(db: Db, list: ReviewList, place: ReviewPlace): Promise<PlacedCount[]> {
  return filterResults(db, list)
    .groupBy('page_results.review_rank')
    .select(
      'page_results.review_rank',
      computed(db, 'results', 'bigint', 'count(*)'),
      computed(db, 'up_to', 'bigint', `count(*) filter (where ${compared('<=')})`, tuple(place)),
      computed(db, 'is_listed', 'boolean', `bool_or(${compared('=')})`, tuple(place)),
    );
}
