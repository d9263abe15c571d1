import { beginCrawl, loadOnce, type Crawl } from './crawl.ts';
import type { DiscoverInput, DiscoverTools, Discovery } from './discovery.ts';
import type { LoadedPage } from './fetch-page.ts';
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
  if (home.kind === 'moved') return `${baseUrl} redirects to ${home.to}, which is not an HTML page`;
  return `No page was found at ${baseUrl}: ${home.reason}`;
}

const MAX_HOPS = 10;

/** The path of the site's own login page, if its home page leads there. Then its other pages would, too. */
async function findLogin({ homePath, loaded, isLogin }: Crawl): Promise<string | null> {
  let path = homePath;
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    if (isLogin(path)) return path === homePath ? null : (path.split('?', 1)[0] ?? path);
    const page = await loaded.get(path);
    if (page?.kind !== 'moved') return null;
    path = page.to;
  }
  return null;
}

async function findFailure(crawl: Crawl, login: string | null): Promise<string | null> {
  const { baseUrl } = crawl.input;
  if (login !== null)
    return `${baseUrl} leads to ${login}, which looks like a login page. If the site starts there, use it as the suite’s base URL`;
  return crawl.pages.size === 0 ? explainFailure(crawl, await crawl.loaded.get(crawl.homePath)) : null;
}

const LOOK_UP_BATCH = 32;

/** Requests the given paths even if robots.txt forbids crawling them, because a person wants these pages. */
async function lookUp(crawl: Crawl, paths: string[], found: (path: string, page: LoadedPage) => void): Promise<void> {
  for (let start = 0; start < paths.length; start += LOOK_UP_BATCH) {
    if (crawl.client.exhausted() !== null) {
      for (const path of paths.slice(start)) crawl.unavailable.add(path);
      return;
    }
    const batch = paths.slice(start, start + LOOK_UP_BATCH);
    const loaded = await Promise.all(batch.map((path) => loadOnce(crawl, path, false)));
    for (const [index, page] of loaded.entries()) found(batch[index] ?? '', page);
  }
}

/** A page that a person added exists as long as its path answers, even with a redirect. */
async function lookUpAddedByHand(crawl: Crawl): Promise<void> {
  const paths = [...new Set(crawl.input.extraPaths)].filter((path) => !crawl.pages.has(path));
  await lookUp(crawl, paths, (path, page) => {
    if (page.kind === 'skipped') crawl.unavailable.add(path);
    if (page.kind !== 'page' && page.kind !== 'moved') return;
    const title = page.kind === 'page' ? page.title : null;
    crawl.pages.set(path, { path, title, foundOn: null });
  });
}

/**
 * Whether links may be missing: some pages could not be opened in the browser or are too long, or the home page is all
 * there is and has no links, as when a notice stands in for each page of a site that is down.
 */
const mayLackLinks = ({ loader, pages, foundOn }: Crawl) =>
  loader.warnings().length > 0 || (pages.size === 1 && foundOn.size === 0);

/** If the crawl saw only part of the site, requests known pages that it did not find, to see if they are gone. */
async function lookUpKnown(crawl: Crawl): Promise<void> {
  const { knownPaths, maxPages } = crawl.input;
  if (!crawl.truncated && !knownPaths.some((path) => crawl.unavailable.has(path))) return;
  const open = knownPaths.filter((path) => !crawl.pages.has(path) && !crawl.loaded.has(path));
  await lookUp(crawl, open.slice(0, maxPages), () => undefined);
}

/**
 * Finds the pages of a site by its links and sitemaps. Only the folder of `baseUrl` is crawled (`siteFolder`), plus
 * known pages.
 * @throws CrawlCancelled
 */
export async function discoverSite(input: DiscoverInput, tools: DiscoverTools): Promise<Discovery> {
  const crawl = await beginCrawl(input, tools);
  await visitLevels(crawl);
  const login = await findLogin(crawl);
  const failure = await findFailure(crawl, login);
  crawl.truncated ||= mayLackLinks(crawl);
  if (failure === null) {
    await lookUpAddedByHand(crawl);
    await lookUpKnown(crawl);
  }
  return {
    pages: [...crawl.pages.values()],
    missing: [...crawl.missing],
    unavailable: [...crawl.unavailable],
    beyondDepth: [...crawl.beyondDepth],
    truncated: crawl.truncated,
    failure,
    isLogin: login !== null,
    warnings: [...crawl.warnings, ...crawl.loader.warnings()],
  };
}
