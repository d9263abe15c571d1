import type { ApproverRow } from '../baselines/approver-sql.ts';
import { APPROVER_COLUMNS, withApprover } from '../baselines/approver-sql.ts';
import type { Db } from '../db/database.ts';
import { approvableSql } from './approvable-sql.ts';
import { REVIEW_SECTIONS, sectionOf } from './review-section.ts';
import type { Part, ReviewFilter, ReviewRow } from './review-row.ts';
import type { Run } from '../runs/run.ts';

/** Whose list of which run; a filter narrows it. */
export type ReviewList = { run: Run; viewerId: string; filter: ReviewFilter };

/** Where a result stands in the order of a review. */
export type ReviewPlace = { reviewRank: number; reviewWeight: number; position: number };

const ORDER = ['review_rank', 'review_weight', 'position'].map((column) => `page_results.${column}`);

const COLUMNS = [
  'id',
  'path',
  'viewport',
  'status',
  'is_new',
  'diff_score',
  'approved',
  'approved_by',
  'approved_at',
  'error',
  'current_file',
  'baseline_file',
  'diff_file',
].map((column) => `page_results.${column}`);

type RowOfStore = Omit<ReviewRow, 'section' | 'approvedBy'> & ApproverRow;

const rowOf = (row: RowOfStore): ReviewRow => ({ ...withApprover(row), section: sectionOf(row) });

/** For each page and viewport the picture that the viewer approved last in earlier runs of the run's pull request. */
function approvedEarlier(db: Db, run: Pick<Run, 'id'>, viewerId: string) {
  return db('test_runs as this')
    .join('test_runs as earlier', (join) =>
      join
        .on('earlier.test_suite_id', 'this.test_suite_id')
        .andOn('earlier.git_owner', 'this.git_owner')
        .andOn('earlier.git_repo', 'this.git_repo')
        .andOn('earlier.git_pr_number', 'this.git_pr_number')
        .andOn('earlier.created_at', '<', 'this.created_at'),
    )
    .join('page_results as mine', 'mine.test_run_id', 'earlier.id')
    .where({ 'this.id': run.id, 'this.run_type': 'PR', 'earlier.run_type': 'PR' })
    .where({ 'mine.approved': true, 'mine.approved_by': viewerId });
}

/** The results of a list, in no order. PostgreSQL takes no NUL: a text with one is in no path and names no viewport. */
export function listed(db: Db, { run, viewerId, filter }: ReviewList) {
  const { section, viewport, search, unapproved, sinceMine } = filter;
  const query = db('page_results').where({ 'page_results.test_run_id': run.id });
  if (`${viewport ?? ''}${search ?? ''}`.includes('\u0000')) void query.whereRaw('false');
  else {
    if (viewport !== undefined) void query.where({ 'page_results.viewport': viewport });
    if (search !== undefined) void query.whereRaw('strpos(lower(page_results.path), lower(?)) > 0', [search]);
  }
  if (section !== undefined) void query.where({ 'page_results.review_rank': REVIEW_SECTIONS.indexOf(section) });
  if (unapproved === true) void query.whereRaw(approvableSql(run));
  if (sinceMine === true) {
    const last = approvedEarlier(db, run, viewerId)
      .distinctOn('mine.path', 'mine.viewport')
      .orderBy(['mine.path', 'mine.viewport'])
      .orderBy('earlier.created_at', 'desc')
      .select('mine.path', 'mine.viewport', 'mine.current_file');
    const same = ['path', 'viewport', 'current_file'].map((column) => `last.${column} = page_results.${column}`);
    void query.whereNotExists(db.from(last.as('last')).whereRaw(same.join(' and ')));
  }
  return query;
}

export async function hasApprovedEarlier(db: Db, run: Pick<Run, 'id'>, viewerId: string): Promise<boolean> {
  return (await approvedEarlier(db, run, viewerId).first<{ id: string } | undefined>('mine.id')) !== undefined;
}

export async function findReviewRows(db: Db, list: ReviewList, { limit, offset }: Part): Promise<ReviewRow[]> {
  const rows = await listed(db, list)
    .leftJoin('users', 'users.id', 'page_results.approved_by')
    .orderBy(ORDER)
    .limit(limit)
    .offset(offset)
    .select<RowOfStore[]>([...COLUMNS, ...APPROVER_COLUMNS]);
  return rows.map(rowOf);
}

export async function countReviewRows(db: Db, list: ReviewList): Promise<number> {
  const row = await listed(db, list).count({ count: '*' }).first<{ count: number } | undefined>();
  return row?.count ?? 0;
}

/** Those of the given pages, in the order of the run's viewports. */
export async function findReviewRowsOfPaths(db: Db, list: ReviewList, paths: string[]): Promise<ReviewRow[]> {
  const rows = await listed(db, list)
    .whereRaw('page_results.path = any(?)', [paths])
    .leftJoin('users', 'users.id', 'page_results.approved_by')
    .orderBy('page_results.position')
    .select<RowOfStore[]>([...COLUMNS, ...APPROVER_COLUMNS]);
  return rows.map(rowOf);
}

type PlaceRow = ReviewPlace & { baselineVersion: number | null; pageId: string | null; pageTitle: string | null };

/**
 * With the number of the version that the result was compared with, and the page as the suite knows it now; null when
 * the result is not of that run.
 */
export async function findPlace(
  db: Db,
  run: Pick<Run, 'id' | 'testSuiteId'>,
  resultId: string,
): Promise<PlaceRow | null> {
  const place = await db('page_results')
    .leftJoin('baseline_versions', 'baseline_versions.id', 'page_results.baseline_version_id')
    .leftJoin('site_pages', (join) =>
      join.on('site_pages.path', 'page_results.path').andOnVal('site_pages.test_suite_id', run.testSuiteId),
    )
    .where({ 'page_results.id': resultId, 'page_results.test_run_id': run.id })
    .first<PlaceRow | undefined>([
      ...ORDER,
      'baseline_versions.version as baseline_version',
      'site_pages.id as page_id',
      'site_pages.title as page_title',
    ]);
  return place ?? null;
}

const tuple = ({ reviewRank, reviewWeight, position }: ReviewPlace) => [reviewRank, reviewWeight, position];
const compared = (sign: '<' | '<=' | '=' | '>') => `(${ORDER.join(', ')}) ${sign} (?, ?, ?)`;

/** The rows that follow the place, nearest first; it need not be in the list itself. */
export async function findRowsAfter(db: Db, list: ReviewList, place: ReviewPlace, limit: number): Promise<ReviewRow[]> {
  const rows = await listed(db, list)
    .whereRaw(compared('>'), tuple(place))
    .leftJoin('users', 'users.id', 'page_results.approved_by')
    .orderBy(ORDER)
    .limit(limit)
    .select<RowOfStore[]>([...COLUMNS, ...APPROVER_COLUMNS]);
  return rows.map(rowOf);
}

export async function findIdBefore(db: Db, list: ReviewList, place: ReviewPlace): Promise<string | null> {
  const row = await listed(db, list)
    .whereRaw(compared('<'), tuple(place))
    .orderBy(ORDER.map((column) => ({ column, order: 'desc' as const })))
    .first<{ id: string } | undefined>('page_results.id');
  return row?.id ?? null;
}

/** How many of the list come before the place, and whether it is in the list itself. */
export async function countUpTo(
  db: Db,
  list: ReviewList,
  place: ReviewPlace,
): Promise<{ before: number; isListed: boolean }> {
  const query = listed(db, list).whereRaw(compared('<='), tuple(place));
  const row = await query.first<{ upTo: number; isListed: boolean | null } | undefined>(
    db.raw('count(*) as up_to'),
    db.raw(`bool_or(${compared('=')}) as is_listed`, tuple(place)),
  );
  const isListed = row?.isListed === true;
  return { before: (row?.upTo ?? 0) - (isListed ? 1 : 0), isListed };
}
