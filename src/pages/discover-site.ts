import type { Crawl } from './crawl.ts';
import { beginCrawl } from './crawl.ts';
import type { DiscoverInput, DiscoverTools, Discovery } from './discovery.ts';
import type { LoadedPage } from './fetch-page.ts';
import { lookUpAddedByHand, lookUpKnown } from './look-up-pages.ts';
import { visitLevels } from './visit-levels.ts';

/** Why no page was found, in a sentence for people. */
function explainFailure(crawl: Crawl, home: LoadedPage | undefined): string {
  const { baseUrl } = crawl.input;
  const { unreachable } = crawl.robots;
  if (unreachable !== null) {
    const file = `${new URL(baseUrl).origin}/robots.txt`;
    return `The site cannot be crawled because ${file} cannot be read: ${unreachable}`;
  }
  if (!crawl.robots.isAllowed(crawl.homePath)) return `robots.txt does not allow crawling ${baseUrl}`;
  if (home === undefined || home.kind === 'page') return `No page was found at ${baseUrl}`;
  if (home.kind === 'moved') return `No page was found at ${baseUrl}: it redirects to ${home.to}, which is not a page`;
  return `No page was found at ${baseUrl}: ${home.reason}`;
}

/**
 * Finds the pages of a site by its links and sitemaps (issue "Discovery"). Only the host of `baseUrl` is crawled. A
 * path in `baseUrl` is where the crawl starts, and does not limit it.
 * @throws CrawlCancelled
 */
export async function discoverSite(input: DiscoverInput, tools: DiscoverTools): Promise<Discovery> {
  const crawl = await beginCrawl(input, tools);
  await visitLevels(crawl);
  const failed = crawl.pages.size === 0;
  if (!failed) {
    await lookUpAddedByHand(crawl);
    await lookUpKnown(crawl);
  }
  return {
    pages: [...crawl.pages.values()],
    missing: [...crawl.missing],
    unavailable: [...crawl.unavailable],
    beyondDepth: [...crawl.beyondDepth],
    truncated: crawl.truncated,
    failure: failed ? explainFailure(crawl, await crawl.loaded.get(crawl.homePath)) : null,
    warnings: [...crawl.warnings, ...crawl.loader.warnings()],
  };
}
