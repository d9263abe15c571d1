import type { Context } from '../context.ts';
import type { SuiteFor } from '../suites/suite.ts';
import { tallyOverview } from './page-overview-store.ts';
import { countSuitePages } from './page-search-store.ts';
import type { PageFilter, PageOverview, PageTally } from './page-search.ts';

/** Counts the suite's pages in the database, because a suite may have 10,000. */
export async function tallyPages(ctx: Pick<Context, 'db'>, suite: SuiteFor): Promise<PageTally> {
  return countSuitePages(ctx.db, suite.id);
}

/** Counts the suite's pages by state, and the matching ones by folder, in one query for up to 10,000 pages. */
export async function readPageOverview(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor,
  filter: PageFilter,
): Promise<PageOverview> {
  return tallyOverview(db, suite.id, filter);
}
