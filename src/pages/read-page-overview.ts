import type { Context } from '../context.ts';
import type { SuiteFor } from '../suites/suite.ts';
import { tallyOverview } from './page-overview-store.ts';
import type { PageFilter, PageOverview } from './page-search.ts';

/** Counts the suite's pages by state, and those that match by folder, in one query for 10,000 pages. */
export async function readPageOverview(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor,
  filter: PageFilter,
): Promise<PageOverview> {
  return tallyOverview(db, suite.id, filter);
}
