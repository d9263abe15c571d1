import { afterAll, beforeAll } from '@jest/globals';
import { loadingOnce, type QuickBrowser } from './load-once.ts';
import { openSite, type Site } from './site.ts';

/** For all tests of a file: a site, and a browser that loads each page once. */
export function siteAndBrowser(): { site: Pick<Site, 'page' | 'hits'>; browser: QuickBrowser } {
  let opened: Site | null = null;
  const browser = loadingOnce();
  const site = (): Site => {
    if (opened === null) throw new Error('The site opens before the first test');
    return opened;
  };
  beforeAll(async () => {
    opened = await openSite();
  });
  afterAll(async () => {
    await browser.close();
    await site().close();
  });
  return { site: { page: (...page) => site().page(...page), hits: (path) => site().hits(path) }, browser };
}
