import { z } from 'zod';
import { isLoginPath } from '../../net/recognize-wall.ts';
import { restBelow, type SiteBase } from '../../net/site-base.ts';
import { pageAddress, pageUrl } from '../page-identity.ts';
import type { DiscoveredPage, DiscoverInput, DiscoverTools } from './discovery.ts';
import { createPageLoader, type LoadedPage, type PageLoader } from './fetch-page.ts';
import { createPoliteClient, type PoliteClient } from './polite-client.ts';
import { NO_RULES, readRobots, type RobotsRules } from './robots-file.ts';

/** How many requests one page may need on a site full of redirects, duplicates and dead links. */
const REQUESTS_PER_PAGE = 5;
const MIN_REQUESTS = 500;
/** A crawl in progress. */
export type Crawl = {
  input: DiscoverInput;
  onPage: (page: DiscoveredPage) => void;
  client: PoliteClient;
  loader: PageLoader;
  robots: RobotsRules;
  /** The folder of the site: the whole host until the home page was loaded (`siteFolder`). */
  base: SiteBase;
  /** Paths that belong to the site wherever they are: the base URL, and known pages. */
  known: ReadonlySet<string>;
  homePath: string;
  /** Where the home page is: the same, or where it leads. */
  landedPath: string;
  /** Whether a path is that of a login page, by its name or as the suite says. */
  isLogin: (path: string) => boolean;
  /** Each path is loaded once. Its links are dropped after they were followed. */
  loaded: Map<string, Promise<LoadedPage>>;
  pages: Map<string, DiscoveredPage>;
  /** For each path that was found by a link, the page with the first such link. */
  foundOn: Map<string, string>;
  missing: Set<string>;
  unavailable: Set<string>;
  beyondDepth: Set<string>;
  warnings: Set<string>;
  truncated: boolean;
};

/** Reads robots.txt, which sets the pace of the crawl and the paths that it may visit. */
export async function beginCrawl(input: DiscoverInput, tools: DiscoverTools): Promise<Crawl> {
  const { baseUrl, crawlOptions, maxPages, knownPaths, extraPaths } = input;
  const home = pageAddress(baseUrl);
  if (home === null) throw new Error(`${baseUrl} is not an http(s) URL`);
  const maxRequests = MIN_REQUESTS + maxPages * REQUESTS_PER_PAGE + knownPaths.length + extraPaths.length;
  const client = createPoliteClient(tools, { ...crawlOptions, maxRequests });
  const { origin } = new URL(baseUrl);
  const read = crawlOptions.respectRobots || crawlOptions.followSitemap;
  const file = read ? await readRobots(client, origin, crawlOptions.userAgent) : NO_RULES;
  const robots = crawlOptions.respectRobots ? file : { ...NO_RULES, sitemaps: file.sitemaps };
  client.setSpacing(robots.crawlDelay);
  const crawl: Crawl = {
    input,
    onPage: tools.onPage ?? (() => undefined),
    client,
    loader: createPageLoader(client, tools.render, input),
    robots,
    base: { origin, path: '/' },
    known: new Set([home.path, ...knownPaths]),
    homePath: home.path,
    landedPath: home.path,
    isLogin: (path) => isLoginPath(path.split('?', 1)[0] ?? path) || tools.isLogin?.(pageUrl(origin, path)) === true,
    loaded: new Map(),
    pages: new Map(),
    foundOn: new Map(),
    missing: new Set(),
    unavailable: new Set(),
    beyondDepth: new Set(),
    warnings: new Set(),
    truncated: false,
  };
  // Where its rules count, the crawl fails. Otherwise the sitemaps that it names are unknown.
  if (file.unreachable !== null) truncateCrawl(crawl, `${origin}/robots.txt cannot be read: ${file.unreachable}`);
  return crawl;
}

/** Whether a path belongs to the site. */
export const isOwn = ({ base, known }: Pick<Crawl, 'base' | 'known'>, path: string): boolean =>
  restBelow(base.path, path) !== null || known.has(path);

/** Records that the site may have more pages than this crawl saw. */
export function truncateCrawl(crawl: Crawl, warning: string): void {
  crawl.truncated = true;
  crawl.warnings.add(warning);
}

export async function loadOnce(crawl: Crawl, path: string, mayRender: boolean): Promise<LoadedPage> {
  const before = crawl.loaded.get(path);
  if (before !== undefined) return before;
  const loading = crawl.loader.load(path, mayRender);
  crawl.loaded.set(path, loading);
  const page = await loading;
  if (page.kind === 'missing') crawl.missing.add(path);
  if (page.kind === 'unavailable') crawl.unavailable.add(path);
  return page;
}

/** How many of the last pages are listed. */
const LAST_PAGES = 5;

/** What a running crawl has found so far. The newest page comes first. */
export type CrawlProgress = {
  pagesFound: number;
  lastPages: { path: string; title: string | null }[];
};

/** How many pages a crawl tracked automatically, and how many more it would have tracked without the limit. */
export const CrawlTracking = z.object({ tracked: z.number(), beyondLimit: z.number() });
export type CrawlTracking = z.infer<typeof CrawlTracking>;

/** `progress` is null unless a crawl is running; `tracking` is null unless the last one was to track pages. */
export type CrawlDetails = { progress: CrawlProgress | null; tracking: CrawlTracking | null };

declare module '../../db/json.ts' {
  interface JsonColumns {
    'test_suites.crawl_progress': CrawlProgress;
    'test_suites.crawl_tracked': CrawlTracking;
  }
}

export function addToProgress(progress: CrawlProgress, { path, title }: { path: string; title: string | null }) {
  const lastPages = [{ path, title }, ...progress.lastPages].slice(0, LAST_PAGES);
  return { pagesFound: progress.pagesFound + 1, lastPages };
}
