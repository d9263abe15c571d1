import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { readRows } from '../db/read-rows.ts';
import { anywhere } from '../text/search-words.ts';
import type { PageFilter, PageSlice, PageTally } from './page-search.ts';
import { RUNNABLE_PAGE_SQL } from './site-page-sql.ts';
import { changePages, pageColumns, selectPages } from './site-page-store.ts';
import type { SitePage, SitePageAction } from './site-page.ts';

/** A part of a statement with its bindings. */
type Sql = [sql: string, bindings: (string | boolean)[]];

/** The state of a page that was captured, or null. */
const STATE_OF_PAGE_SQL = `(select state from page_states
  where page_states.test_suite_id = site_pages.test_suite_id and page_states.path = site_pages.path)`;

/** The condition for matching pages, without the one on the suite. `stateSql`: the state of the page, or null. */
export function matchingSql(
  { text, status, tracked, state = null, folder = null }: PageFilter,
  stateSql = STATE_OF_PAGE_SQL,
): Sql {
  const conditions: Sql[] = [];
  if (status !== null) conditions.push(['site_pages.status = ?', [status]]);
  if (tracked !== null) conditions.push(['site_pages.tracked = ?', [tracked]]);
  if (folder !== null) conditions.push(['starts_with(site_pages.path, ?)', [folder]]);
  if (text !== null) {
    const pattern = anywhere(text);
    conditions.push(['(site_pages.path ilike ? or site_pages.title ilike ?)', [pattern, pattern]]);
  }
  if (state !== null) conditions.push([`coalesce(${stateSql}, 'never') = ?`, [state]]);
  const sql = conditions.length === 0 ? 'true' : conditions.map(([each]) => each).join(' and ');
  return [sql, conditions.flatMap(([, bindings]) => bindings)];
}

function matching(db: Db, testSuiteId: string, filter: PageFilter) {
  return selectPages(db, testSuiteId).whereRaw(...matchingSql(filter));
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
    .select(pageColumns(db));
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
