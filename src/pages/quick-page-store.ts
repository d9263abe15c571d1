import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { readRows } from '../db/read-rows.ts';
import { SHARED_SUITES_SQL } from '../suites/readable-sql.ts';
import { searchPattern } from '../text/search-words.ts';
import type { FoundPage } from './found-page.ts';

const Found: z.ZodType<FoundPage> = z.object({
  id: z.string(),
  testSuiteId: z.string(),
  suiteName: z.string(),
  path: z.string(),
  title: z.string().nullable(),
});

/** A common word is in more pages than need to be sorted. */
const MATCHES_READ = 50;

/**
 * Pages of the suites that the viewer may read with each of these words, or words that have it in them, in their path or
 * title, in no particular order beyond some number. Tracked and short ones come first.
 * @param words from `searchWords`, at least one
 */
export async function findPagesByWords(db: Db, viewerId: string, words: string[], limit: number): Promise<FoundPage[]> {
  const patterns = words.map(searchPattern);
  // Materialized, since the planner otherwise takes the limit for a reason to read the table from its beginning.
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
