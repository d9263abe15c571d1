import type { Context } from '../context.ts';
import type { SuiteFor } from '../suites/suite.ts';
import { tallyOverview } from './page-overview-store.ts';
import { applyToMatching, countSuitePages } from './page-search-store.ts';
import type { PageFilter, PageOverview, PageTally } from './page-search.ts';
import type { SitePageAction } from './site-page.ts';

/** Counts the suite's pages in the database, because a suite may have 10,000. */
export async function tallyPages(ctx: Pick<Context, 'db'>, suite: SuiteFor): Promise<PageTally> {
  return countSuitePages(ctx.db, suite.id);
}

/** Applies an action to every page that matches. Returns how many pages changed. */
export async function actOnMatchingPages(
  ctx: Pick<Context, 'db'>,
  suite: SuiteFor<'suite.edit'>,
  { action, filter }: { action: SitePageAction; filter: PageFilter },
): Promise<number> {
  return applyToMatching(ctx.db, suite.id, filter, action);
}

/** Counts the suite's pages by state, and the matching ones by folder, in one query for up to 10,000 pages. */
export async function readPageOverview(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor,
  filter: PageFilter,
): Promise<PageOverview> {
  return tallyOverview(db, suite.id, filter);
}
