import type { Context } from '../context.ts';
import type { CrawlState, Suite } from '../suites/suite.ts';
import { latestResultOf } from './read-page.ts';
import { findLatestResults, findPages } from './site-page-store.ts';
import type { PageCounts, SitePageWithResult } from './site-page.ts';
import { countPages } from './site-page.ts';

export type PageList = { pages: SitePageWithResult[]; crawl: CrawlState; counts: PageCounts };

/** Every page of the suite by path, those REMOVED too, in two queries however many there are. */
export async function listPages(ctx: Pick<Context, 'db'>, suite: Suite): Promise<PageList> {
  const [pages, rows] = await Promise.all([findPages(ctx.db, suite.id), findLatestResults(ctx.db, suite.id)]);
  const latest = new Map(rows.map((row) => [row.pageId, row]));
  return {
    pages: pages.map((page) => ({ ...page, latestResult: latestResultOf(latest.get(page.id)) })),
    crawl: suite.crawl,
    counts: countPages(pages),
  };
}
