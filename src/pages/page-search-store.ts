import { computed, given, joinSql, readRows, type Db, type Sql } from '../db/database.ts';
import { SHARED_SUITES_SQL } from '../suites/readable-sql.ts';
import type { SuiteFor } from '../suites/suite.ts';
import { encodeTyped } from '../text/readable-path.ts';
import { anywhere, encodedWord, searchPattern } from '../text/search-words.ts';
import { pageColumns, selectPages } from './site-page-store.ts';
import { FoundPage, tallyKinds, type PageFilter, type PageSlice, type PageTally, type SitePage } from './site-page.ts';

/** The state of a page that was captured, or null. */
const STATE_OF_PAGE_SQL = `(select state from page_states
  where page_states.test_suite_id = site_pages.test_suite_id and page_states.path = site_pages.path)`;

/** The condition for matching pages, without the one on the suite. `stateSql`: the state of the page, or null. */
export function matchingSql(
  { text, status, tracked, state = null, folder = null }: PageFilter,
  stateSql = STATE_OF_PAGE_SQL,
): Sql {
  const conditions: Sql[] = [
    ['true', []],
    ...given('site_pages.status = ?', status),
    ...given('site_pages.tracked = ?', tracked),
    ...given('starts_with(site_pages.path, ?)', folder),
    ...given(`coalesce(${stateSql}, 'never') = ?`, state),
  ];
  if (text !== null) {
    const patterns = [anywhere(encodeTyped(text)), anywhere(text)];
    conditions.push(['(site_pages.path ilike ? or site_pages.title ilike ?)', patterns]);
  }
  return joinSql(conditions, ' and ');
}

/** A query for the pages of a suite that match. */
export const selectMatching = (db: Db, testSuiteId: string, filter: PageFilter) =>
  selectPages(db, testSuiteId).whereRaw(...matchingSql(filter));

/** Counts the suite's pages in the database, because a suite may have 10,000. */
export async function readPageTally(db: Db, { id }: SuiteFor): Promise<PageTally> {
  const kinds = await selectPages(db, id)
    .groupBy('status', 'tracked')
    .select('status', 'tracked', computed(db, 'pages', 'bigint', 'count(*)'));
  return tallyKinds(kinds);
}

/** Sorted by path. */
export async function findMatching(
  db: Db,
  testSuiteId: string,
  filter: PageFilter,
  { descending, limit, offset }: PageSlice,
): Promise<SitePage[]> {
  return selectMatching(db, testSuiteId, filter)
    .orderBy('path', descending ? 'desc' : 'asc')
    .limit(limit)
    .offset(offset)
    .select(pageColumns(db));
}

/** A common word occurs in more pages than should be sorted. */
const MATCHES_READ = 50;

/**
 * Pages in the viewer's suites whose path or title contains each of these words, also within longer words. Tracked
 * pages and short paths come first; beyond a certain number the order is arbitrary.
 * @param words from `searchWords`, at least one
 */
export async function findPagesByWords(db: Db, viewerId: string, words: string[], limit: number): Promise<FoundPage[]> {
  const patterns = words.map((word) => [...new Set([searchPattern(word), searchPattern(encodedWord(word))])]);
  const has = patterns.map((of) => ` and (${of.map(() => 'search_text like ?').join(' or ')})`).join('');
  // Materialized, because otherwise the limit makes the planner read the table from its beginning.
  const matching = (scope: string) =>
    `with matching as materialized (
       select id from site_pages where ${scope}${has}
     ) select id from matching limit ${MATCHES_READ}`;
  return readRows(
    db,
    FoundPage,
    `select page.id, page.test_suite_id, suite.name as suite_name, page.path, page.title
     from (
       (${matching('owner_id = ?')})
       union all
       (select found.id from (${SHARED_SUITES_SQL}) as shared
        cross join lateral (${matching('test_suite_id = shared.id')}) as found limit ${MATCHES_READ})
     ) as found
     join site_pages as page on page.id = found.id
     join test_suites as suite on suite.id = page.test_suite_id
     order by page.tracked desc, char_length(page.path), page.path, page.id limit ?`,
    [viewerId, ...patterns.flat(), viewerId, ...patterns.flat(), limit],
  );
}
