import { pageUrl } from '../page-identity.ts';
import { loadOnce, type Crawl } from './crawl.ts';
import type { LoadedPage } from './fetch-page.ts';

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
export async function lookUpAddedByHand(crawl: Crawl): Promise<void> {
  const paths = [...new Set(crawl.input.extraPaths)].filter((path) => !crawl.pages.has(path));
  await lookUp(crawl, paths, (path, page) => {
    if (page.kind === 'skipped') crawl.unavailable.add(path);
    if (page.kind !== 'page' && page.kind !== 'moved') return;
    const title = page.kind === 'page' ? page.title : null;
    crawl.pages.set(path, { path, url: pageUrl(crawl.input.baseUrl, path), title, depth: null, foundOn: null });
  });
}

/** If the crawl saw only part of the site, requests known pages that it did not find, to see if they are gone. */
export async function lookUpKnown(crawl: Crawl): Promise<void> {
  const { knownPaths, maxPages } = crawl.input;
  if (!crawl.truncated && !knownPaths.some((path) => crawl.unavailable.has(path))) return;
  const open = knownPaths.filter((path) => !crawl.pages.has(path) && !crawl.loaded.has(path));
  await lookUp(crawl, open.slice(0, maxPages), () => undefined);
}
