import type { Context } from '../../context.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import type { CrawlProgress, CrawlTracking } from './crawl-progress.ts';
import { findCrawlDetails } from './crawl-store.ts';

/** `progress` is null unless a crawl is running; `tracking` is null unless the last one was to track pages. */
export type CrawlDetails = {
  progress: CrawlProgress | null;
  tracking: CrawlTracking | null;
};

/** What a suite's crawl has found so far, and what the last one tracked automatically. */
export async function readCrawl({ db }: Pick<Context, 'db'>, suite: SuiteFor): Promise<CrawlDetails> {
  return findCrawlDetails(db, suite.id);
}
