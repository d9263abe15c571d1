import type { Context } from '../context.ts';
import type { SuiteFor } from '../suites/suite.ts';
import type { CrawlProgress, CrawlTracking } from './crawl/crawl-progress.ts';
import { findCrawlDetails } from './crawl/crawl-store.ts';
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

/** `progress` is null unless a crawl is running; `tracking` is null unless the last one was to track pages. */
export type CrawlDetails = {
  progress: CrawlProgress | null;
  tracking: CrawlTracking | null;
};

/** What a suite's crawl has found so far, and what the last one tracked automatically. */
export async function readCrawl({ db }: Pick<Context, 'db'>, suite: SuiteFor): Promise<CrawlDetails> {
  return findCrawlDetails(db, suite.id);
}
