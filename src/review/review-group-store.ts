import type { Db } from '../db/database.ts';
import type { Part } from './review-row.ts';
import { listed } from './review-row-store.ts';
import type { ReviewList } from './review-row-store.ts';

export type GroupRow = { path: string; title: string | null; pageId: string | null; reviewRank: number };

/** The pages of a list, in the order of the best-placed result of each. */
export async function findReviewGroups(db: Db, list: ReviewList, { limit, offset }: Part): Promise<GroupRow[]> {
  const placed = listed(db, list).select(
    'page_results.path',
    'page_results.review_rank',
    db.raw('row_number() over (order by review_rank, review_weight, position) as place'),
  );
  const groups = db
    .from(placed.as('placed'))
    .groupBy('path')
    .select('path', db.raw('min(review_rank) as review_rank'), db.raw('min(place) as place'))
    .orderBy('place')
    .limit(limit)
    .offset(offset);
  return db
    .from(groups.as('groups'))
    .leftJoin('site_pages', (join) =>
      join.on('site_pages.path', 'groups.path').andOnVal('site_pages.test_suite_id', list.run.testSuiteId),
    )
    .orderBy('groups.place')
    .select<GroupRow[]>('groups.path', 'groups.review_rank', 'site_pages.title', 'site_pages.id as page_id');
}

export async function countReviewGroups(db: Db, list: ReviewList): Promise<number> {
  const row = await listed(db, list)
    .countDistinct({ count: 'page_results.path' })
    .first<{ count: number } | undefined>();
  return row?.count ?? 0;
}
