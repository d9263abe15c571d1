import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { readRows } from '../db/read-rows.ts';
import { SHARED_SUITES_SQL } from '../suites/readable-sql.ts';
import { searchPattern } from '../text/search-words.ts';
import type { FoundPage } from './page-search.ts';

const Found: z.ZodType<FoundPage> = z.object({
  id: z.string(),
  testSuiteId: z.string(),
  suiteName: z.string(),
  path: z.string(),
  title: z.string().nullable(),
});

/** A common word occurs in more pages than should be sorted. */
const MATCHES_READ = 50;

/**
 * Pages in the viewer's suites whose path or title contains each of these words, also within longer words. Tracked
 * pages and short paths come first; beyond a certain number the order is arbitrary.
 * @param words from `searchWords`, at least one
 */
export async function findPagesByWords(db: Db, viewerId: string, words: string[], limit: number): Promise<FoundPage[]> {
  const patterns = words.map(searchPattern);
  // Materialized, because otherwise the limit makes the planner read the table from its beginning.
  const matching = (scope: string) =>
    `with matching as materialized (
       select id from site_pages where ${scope}${patterns.map(() => ' and search_text like ?').join('')}
     ) select id from matching limit ${MATCHES_READ}`;
  return readRows(
    db,
    Found,
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
    [viewerId, ...patterns, viewerId, ...patterns, limit],
  );
}
