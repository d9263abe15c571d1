import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from '../../../src/capture/browser/browser.ts';
import { openBrowser } from '../../../src/capture/browser/open-browser.ts';
import { createLogger } from '../../../src/logger.ts';
import { createNetwork } from '../../../src/net/create-network.ts';
import type { Network } from '../../../src/net/network.ts';
import { discoverSite } from '../../../src/pages/crawl/discover-site.ts';
import { LOCAL } from '../../capture/requests.ts';
import { startTestSite, type TestSite } from '../test-site.ts';

/** A shop whose pages are one empty document; its script fetches what to show and routes by the path. The home page is made of components. */
const SHELL = '<!doctype html><title>Loading</title><div id="root"></div><script src="/app.js"></script>';
const SCRIPT = `
  fetch('/menu.json').then((answer) => answer.json()).then((menu) => {
    if (location.pathname === '/start') return location.replace('/shoes');
    if (location.pathname === '/partner') return location.replace(location.href.replace('127.0.0.1', 'localhost'));
    document.title = 'Shop ' + location.pathname;
    const root = document.getElementById('root');
    const links = menu.map((item) => '<a href="' + item + '">' + item + '</a>').join('');
    if (location.pathname !== '/') return void (root.innerHTML = links);
    root.attachShadow({ mode: 'open' }).innerHTML = '<p></p>';
    root.shadowRoot.firstChild.attachShadow({ mode: 'open' }).innerHTML = links;
  });`;

let site: TestSite;
let browser: Browser;
let network: Network;

beforeAll(async () => {
  site = await startTestSite({
    '/': SHELL,
    '/shoes': SHELL,
    '/hats': SHELL,
    '/start': SHELL,
    '/partner': SHELL,
    '/app.js': { headers: { 'content-type': 'text/javascript' }, body: SCRIPT },
    '/menu.json': {
      headers: { 'content-type': 'application/json' },
      body: '["/shoes", "/hats", "/start", "/partner"]',
    },
  });
  browser = openBrowser(LOCAL);
  network = createNetwork({ allowPrivateTargets: true, log: createLogger('silent') });
});

afterAll(async () => {
  await browser.close();
  await network.close();
  await site.close();
});

describe('a site that builds its links in the browser', () => {
  it('is found whole, with the titles and addresses that its scripts set', async () => {
    const crawlOptions = { followSitemap: true, respectRobots: true, userAgent: 'Pixelgate/1', timeout: 10_000 };
    const discovery = await discoverSite(
      { baseUrl: site.origin, maxPages: 100, maxDepth: 5, crawlOptions, extraPaths: [], knownPaths: [] },
      {
        fetch: (request) => network.fetch(request),
        render: (url) =>
          browser.renderHtml(url, { userAgent: crawlOptions.userAgent, timeout: crawlOptions.timeout, access: null }),
      },
    );
    expect(discovery.pages.map(({ path, title }) => [path, title])).toEqual([
      ['/', 'Shop /'],
      ['/shoes', 'Shop /shoes'],
      ['/hats', 'Shop /hats'],
    ]);
    expect(discovery).toMatchObject({ truncated: false, warnings: [] });
  });
});
