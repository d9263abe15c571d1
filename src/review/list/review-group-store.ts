import { APPROVER_COLUMNS, withApprover } from '../../baselines/approver-sql.ts';
import { computed } from '../../db/computed.ts';
import type { Db } from '../../db/database.ts';
import type { ReviewList } from './review-list-sql.ts';
import { inListSql } from './review-list-sql.ts';
import { REVIEW_ROW_COLUMNS } from './review-row-store.ts';
import type { Part, ReviewRow } from './review-row.ts';

/** A result with the section rank of its page (`groupRank`), and the number of pages in the whole list (`groups`). */
export type GroupedRow = Omit<ReviewRow, 'section'> & {
  title: string | null;
  pageId: string | null;
  groupRank: number;
  groups: number;
};

/** One part of the pages of a list with their results. A page comes where its first result would come. */
export async function findGroupedRows(db: Db, list: ReviewList, { limit, offset }: Part): Promise<GroupedRow[]> {
  const placed = db('page_results')
    .whereRaw(...inListSql(list))
    .select(
      'page_results.path',
      'page_results.review_rank',
      computed(db, 'place', 'bigint', 'row_number() over (order by review_rank, review_weight, position)'),
    );
  const groups = db
    .from(placed.as('placed'))
    .groupBy('path')
    .select(
      'path',
      computed(db, 'group_rank', 'bigint', 'min(review_rank)'),
      computed(db, 'place', 'bigint', 'min(place)'),
      computed(db, 'groups', 'bigint', 'count(*) over ()'),
    )
    .orderBy('place')
    .limit(limit)
    .offset(offset);
  const rows = await db
    .from(groups.as('part'))
    .join('page_results', 'page_results.path', 'part.path')
    .leftJoin('users', 'users.id', 'page_results.approved_by')
    .leftJoin('site_pages', (join) =>
      join.on('site_pages.path', 'part.path').andOnVal('site_pages.test_suite_id', list.run.testSuiteId),
    )
    .whereRaw(...inListSql(list))
    .orderBy('part.place')
    .orderBy('page_results.position')
    .select([
      ...REVIEW_ROW_COLUMNS,
      ...APPROVER_COLUMNS,
      'site_pages.title',
      'site_pages.id as page_id',
      'part.group_rank',
      'part.groups',
    ]);
  return rows.map(withApprover);
}
