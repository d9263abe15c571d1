import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { readRows } from '../db/read-rows.ts';
import type { PageFilter, PageSlice, PageTally } from './page-search.ts';
import { changePages, PAGE_COLUMNS, selectPages } from './site-page-store.ts';
import { RUNNABLE_PAGE_SQL } from './site-page-sql.ts';
import type { SitePage, SitePageAction } from './site-page.ts';

const anywhere = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

function matching(db: Db, testSuiteId: string, { text, status, tracked }: PageFilter) {
  const pages = selectPages(db, testSuiteId);
  if (status !== null) void pages.where({ status });
  if (tracked !== null) void pages.where({ tracked });
  if (text !== null) {
    const pattern = anywhere(text);
    void pages.where((either) => void either.whereILike('path', pattern).orWhereILike('title', pattern));
  }
  return pages;
}

const Tally: z.ZodType<PageTally> = z.object({
  total: z.number(),
  tracked: z.number(),
  runnable: z.number(),
  new: z.number(),
  active: z.number(),
  removed: z.number(),
});

export async function countSuitePages(db: Db, testSuiteId: string): Promise<PageTally> {
  const [tally] = await readRows(
    db,
    Tally,
    `select count(*) as total, count(*) filter (where tracked) as tracked,
            count(*) filter (where ${RUNNABLE_PAGE_SQL}) as runnable,
            count(*) filter (where status = 'NEW') as new, count(*) filter (where status = 'ACTIVE') as active,
            count(*) filter (where status = 'REMOVED') as removed
     from site_pages where test_suite_id = ?`,
    [testSuiteId],
  );
  if (tally === undefined) throw new Error('A count of pages returned no row');
  return tally;
}

export async function countMatching(db: Db, testSuiteId: string, filter: PageFilter): Promise<number> {
  const row = await matching(db, testSuiteId, filter).count({ count: '*' }).first();
  return row?.count ?? 0;
}

/** Sorted by path. */
export async function findMatching(
  db: Db,
  testSuiteId: string,
  filter: PageFilter,
  { descending, limit, offset }: PageSlice,
): Promise<SitePage[]> {
  return matching(db, testSuiteId, filter)
    .orderBy('path', descending ? 'desc' : 'asc')
    .limit(limit)
    .offset(offset)
    .select(PAGE_COLUMNS);
}

/** Returns how many pages changed. */
export async function applyToMatching(
  db: Db,
  testSuiteId: string,
  filter: PageFilter,
  action: SitePageAction,
): Promise<number> {
  return changePages(db, matching(db, testSuiteId, filter), action);
}
