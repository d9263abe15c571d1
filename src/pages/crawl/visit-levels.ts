import { formatCount } from '../../text/format.ts';
import { resolveIdentity, type Resolved } from '../resolve-identity.ts';
import { collectSitemap } from './collect-sitemap.ts';
import { isOwn, loadOnce, truncateCrawl, type Crawl } from './crawl.ts';
import { isLikelyPage } from './decode-text.ts';
import type { LoadedPage } from './fetch-page.ts';

const folderOf = (path: string): string => {
  const [pathname = ''] = path.split('?', 1);
  return pathname.slice(0, pathname.lastIndexOf('/') + 1);
};

/**
 * The folder in which a site is crawled: that of its base URL, as for relative links. `/repo` is a folder if the host
 * adds the slash. If the base URL redirects elsewhere on its host, the folder is there.
 * @param home the path of the base URL
 * @param landed the path that it led to
 */
export function siteFolder(home: string, landed: string): string {
  const folder = folderOf(home);
  return landed === `${home}/` || !landed.startsWith(folder) ? folderOf(landed) : folder;
}

/** How many paths are loaded ahead. Their results are still used in order, so that a crawl is repeatable. */
const LOOK_AHEAD = 16;
/** Limit of waiting paths per level. It is above the number that can be visited. */
const MAX_WAITING_PER_PAGE = 20;

async function resolve(crawl: Crawl, path: string, depth: number): Promise<Resolved> {
  const mayRender = depth < crawl.input.maxDepth;
  const load = (next: string): Promise<LoadedPage> => loadOnce(crawl, next, mayRender);
  const resolved = await resolveIdentity(path, {
    load,
    isAllowed: (next) => crawl.robots.isAllowed(next) && isOwn(crawl, next),
    homePath: crawl.homePath,
    landedPath: crawl.landedPath,
  });
  // A path that redirects to a page that is gone is gone, too.
  if (resolved.kind === 'missing') crawl.missing.add(path);
  // A known page that can't be looked at, such as one behind a login, may still exist.
  const isClosed =
    resolved.kind === 'page' ? crawl.isLogin(resolved.path) && !crawl.isLogin(path) : resolved.kind === 'skipped';
  if (resolved.kind === 'unavailable' || (isClosed && crawl.known.has(path))) crawl.unavailable.add(path);
  return resolved;
}

/** Adds a page; returns its links if the page was not known yet. */
function take(crawl: Crawl, start: string, resolved: Resolved): { from: string; links: string[] } {
  if (resolved.kind !== 'page' || crawl.pages.has(resolved.path)) return { from: start, links: [] };
  const { path, title, links } = resolved;
  const page = { path, title, foundOn: crawl.foundOn.get(start) ?? null };
  crawl.pages.set(path, page);
  crawl.onPage(page);
  crawl.loaded.set(path, Promise.resolve({ kind: 'page', title, links: [], canonical: null }));
  return { from: path, links };
}

/** Visits one level and returns the next one: the paths that its pages link to and that were not queued before. */
async function visitLevel(crawl: Crawl, level: string[], depth: number, queued: Set<string>): Promise<string[]> {
  const { maxPages, maxDepth, knownPaths } = crawl.input;
  const known = depth === maxDepth ? new Set(knownPaths) : null;
  const next: string[] = [];
  const ahead: Promise<Resolved>[] = [];
  for (let index = 0; index < level.length; index += 1) {
    const stop =
      crawl.pages.size >= maxPages
        ? `The limit of ${formatCount(maxPages, 'page')} was reached`
        : crawl.client.exhausted();
    if (stop !== null) {
      truncateCrawl(crawl, stop);
      break;
    }
    const room = Math.min(LOOK_AHEAD, maxPages - crawl.pages.size + 3);
    for (const path of level.slice(index + ahead.length, index + room)) {
      const resolving = resolve(crawl, path, depth);
      // If an earlier path throws, this promise is never awaited.
      resolving.catch(() => undefined);
      ahead.push(resolving);
    }
    const resolved = await ahead.shift();
    if (resolved === undefined) continue;
    const { from, links } = take(crawl, level[index] ?? '', resolved);
    for (const link of links) {
      if (queued.has(link) || !isLikelyPage(link)) continue;
      if (!isOwn(crawl, link)) {
        crawl.warnings.add(`Links to pages outside of ${crawl.base.origin}${crawl.base.path} were not followed`);
        continue;
      }
      if (known !== null) {
        if (known.has(link)) crawl.beyondDepth.add(link);
        continue;
      }
      if (next.length >= maxPages * MAX_WAITING_PER_PAGE) {
        crawl.truncated = true;
        continue;
      }
      queued.add(link);
      crawl.foundOn.set(link, from);
      next.push(link);
    }
  }
  await Promise.all(ahead);
  return next;
}

async function sitemapPaths(crawl: Crawl): Promise<string[]> {
  const { maxPages, crawlOptions } = crawl.input;
  if (!crawlOptions.followSitemap) return [];
  const sitemap = await collectSitemap(crawl.client, {
    base: crawl.base,
    named: crawl.robots.sitemaps,
    limit: maxPages * MAX_WAITING_PER_PAGE,
  });
  for (const warning of sitemap.warnings) crawl.warnings.add(warning);
  crawl.truncated ||= sitemap.incomplete;
  return sitemap.paths;
}

/** The home page tells where the site is. */
async function findBase(crawl: Crawl): Promise<void> {
  const { homePath, base } = crawl;
  const home = await resolve(crawl, homePath, 0);
  if (home.kind === 'page') crawl.landedPath = home.path;
  crawl.base = { ...base, path: siteFolder(homePath, crawl.landedPath) };
}

/** Breadth first, so that a crawl of a large site keeps the nearest pages. Sitemap entries count as one link away. */
export async function visitLevels(crawl: Crawl): Promise<void> {
  const { maxDepth, maxPages } = crawl.input;
  await findBase(crawl);
  const queued = new Set([crawl.homePath]);
  let level = [crawl.homePath];
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth += 1) {
    const next = await visitLevel(crawl, level, depth, queued);
    const named = depth === 0 && maxDepth > 0 ? await sitemapPaths(crawl) : [];
    const added = named.filter((path) => !queued.has(path));
    for (const path of added) queued.add(path);
    level = [...next, ...added];
    if (crawl.pages.size >= maxPages && level.length > 0) {
      truncateCrawl(crawl, `The limit of ${formatCount(maxPages, 'page')} was reached`);
      return;
    }
  }
}
