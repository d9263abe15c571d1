import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CaptureRequest } from '../../src/capture/browser/capture-request.ts';
import { createBrowserPool, type KeptBrowser } from '../../src/capture/browser/keep-browser.ts';
import { launchBrowser } from '../../src/capture/browser/launch-browser.ts';
import { capturePage } from '../../src/capture/capture-stable-page.ts';
import { endSeries } from '../../src/capture/series.ts';
import { siteBase } from '../../src/net/site-base.ts';
import { LOCAL, never, requestOf, silent } from './requests.ts';
import { html, openSite, type Handler, type Site } from './site.ts';

const OTHER = { sha256: '0'.repeat(64), atRest: true };

let site: Site;
let pool: KeptBrowser;
let [scopes, pages, contexts] = [0, 0, 0];

beforeAll(async () => {
  site = await openSite();
  pool = createBrowserPool(async () => {
    const launched = await launchBrowser(LOCAL);
    const newContext = launched.browser.newContext.bind(launched.browser);
    launched.browser.newContext = async (options) => {
      contexts += 1;
      return newContext(options);
    };
    return launched;
  }, silent);
});
afterAll(async () => {
  await pool.close();
  await site.close();
});

const newScope = () => `run ${(scopes += 1)}`;
const newPage = (page: string) => site.page(`/page/${(pages += 1)}`, page);

/** @returns the capture, and how many contexts were opened for it. */
async function capture(url: string, changes: Partial<CaptureRequest>) {
  const lease = await pool.lease();
  const before = contexts;
  try {
    const taken = await capturePage(lease, requestOf(url, changes), never);
    return { ...taken, opened: contexts - before };
  } finally {
    lease.release();
  }
}

const asBaseline = ({ sha256, atRest }: { sha256: string; atRest: boolean }) => ({ sha256, atRest });

/** Draws what a script finds out. */
const tells = (expression: string) =>
  html(`<p id="found">?</p><script type="module">found.textContent = JSON.stringify(${expression})</script>`);
const leaves = (script: string) => html(`<p>Leaves something</p><script type="module">${script}</script>`);

const DATABASE = `new Promise((resolve) => {
  const opening = indexedDB.open('left');
  opening.onupgradeneeded = () => opening.result.createObjectStore('left');
  opening.onsuccess = () => { opening.result.close(); resolve(); };
})`;

/** Each of these can be cleared, so that the page can be used again. */
const LEAVING = `
  document.cookie = 'left=1; max-age=1000';
  localStorage.left = 1;
  window.name = 'left';
  for (const at of [1, 2, 3]) history.pushState(at, '', '#' + at);
  new BroadcastChannel('left').onmessage = ({ target }) => target.postMessage('here');
  await Promise.all([${DATABASE}, caches.open('left'), Notification.requestPermission()]);
`;
/** Reports what a page finds out about those before it. */
const TELLING = `
  const channel = new BroadcastChannel('left');
  const answer = new Promise((resolve) => { channel.onmessage = ({ data }) => resolve(data); setTimeout(resolve, 100, null); });
  channel.postMessage('anybody?');
  const found = {
    cookies: document.cookie,
    stored: localStorage.length,
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
    name: window.name,
    history: history.length,
    opener: opener === null,
    referrer: document.referrer,
    notifications: Notification.permission,
    channel: await answer,
  };
  await fetch('/told?' + encodeURIComponent(JSON.stringify(found)));
`;
const NOTHING = {
  cookies: '',
  stored: 0,
  databases: 0,
  caches: 0,
  name: '',
  // The empty page, and this one.
  history: 2,
  opener: true,
  referrer: '',
  notifications: 'denied',
  channel: null,
};

describe('a page that is kept', () => {
  it('shows the next one nothing of what it left', async () => {
    const scope = newScope();
    const told: unknown[] = [];
    site.page('/told', (request, response) => {
      told.push(JSON.parse(decodeURIComponent(request.url?.split('?')[1] ?? '')));
      response.writeHead(204).end();
    });
    const [leaving, telling] = [newPage(leaves(LEAVING)), newPage(leaves(TELLING))];
    const fresh = await capture(telling, {});
    await capture(leaving, { scope, baseline: OTHER });
    told.length = 0;
    const { opened, screenshots } = await capture(telling, { scope, baseline: asBaseline(fresh) });
    expect({ opened, screenshots, told }).toEqual({ opened: 0, screenshots: 1, told: [NOTHING] });
  });

  it.each([
    ['session storage', leaves('sessionStorage.left = 1'), tells('sessionStorage.length')],
    [
      'what is left on the way out',
      leaves('onpagehide = () => { sessionStorage.left = 1 }'),
      tells('sessionStorage.length'),
    ],
    ['a dialog', leaves('alert("left")'), tells('1')],
    ['a window', leaves('window.open("/")'), tells('1')],
    ['a frame', html('<iframe srcdoc="<p>Hello</p>"></iframe>'), tells('1')],
  ])('is given up for %s', async (_what, first, next) => {
    const scope = newScope();
    const [leaving, telling] = [newPage(first), newPage(next)];
    await capture(leaving, { scope, baseline: OTHER });
    const fresh = await capture(telling, {});
    const { opened, screenshots } = await capture(telling, { scope, baseline: asBaseline(fresh) });
    expect({ opened, screenshots }).toEqual({ opened: 1, screenshots: 1 });
  });

  it('asks the server for everything again, whatever it may be kept for', async () => {
    const scope = newScope();
    let color = 'red';
    const head = '<link rel="stylesheet" href="/lasting.css">';
    site.page('/lasting.css', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/css', 'cache-control': 'max-age=1000, immutable' });
      response.end(`body { background: ${color} }`);
    });
    const [one, two] = [site.page('/lasting/1', html('1', head)), site.page('/lasting/2', html('2', head))];
    await capture(one, { scope });
    color = 'blue';
    const fresh = await capture(two, {});
    const { opened, screenshots } = await capture(two, { scope, baseline: asBaseline(fresh) });
    expect({ opened, screenshots }).toEqual({ opened: 0, screenshots: 1 });
  });

  it('is of one scope and of one kind of visitor', async () => {
    const url = site.page('/kinds', html('<p>Hello</p>'));
    const emulation = { ...requestOf(url).emulation, locale: 'de-DE' };
    const counts = [];
    for (const changes of [{ scope: 'one' }, { scope: 'one' }, { scope: 'two' }, { scope: 'two', emulation }]) {
      counts.push((await capture(url, changes)).opened);
    }
    expect(counts).toEqual([1, 0, 1, 1]);
  });

  it('shows the next one without a transition from itself', async () => {
    const scope = newScope();
    const slow = `<style>@view-transition { navigation: auto }
      ::view-transition-group(*), ::view-transition-old(*), ::view-transition-new(*) { animation-duration: 60s }</style>`;
    const [one, two] = ['<h1>One</h1>', '<p>Another</p>'].map((body) => newPage(html(body, slow)));
    const [fresh] = [await capture(two ?? '', {}), await capture(one ?? '', { scope })];
    const next = await capture(two ?? '', { scope });
    expect([next.sha256, next.opened, next.screenshots]).toEqual([fresh.sha256, 0, 1]);
  });

  it('takes the size of the next viewport', async () => {
    const scope = newScope();
    const url = newPage(html('<p style="width: 50%; background: green">Half</p><p style="height: 900px">Tall</p>'));
    const widths = [800, 375, 1280, 800];
    const named = widths.map((width) => ({ ...requestOf(url).viewport, name: `${width}`, width, height: width }));
    const opened: number[] = [];
    for (const viewport of named) {
      const fresh = await capture(url, { viewport });
      const kept = await capture(url, { viewport, scope });
      expect([kept.sha256, kept.screenshots]).toEqual([fresh.sha256, 1]);
      opened.push(kept.opened);
    }
    expect(opened).toEqual([1, 0, 0, 0]);
    expect((await capture(url, { scope })).opened).toBe(0);
  });

  it('is passed over after a page that has changed, and until one has not', async () => {
    const scope = newScope();
    const url = newPage(html('<p>Plain</p>'));
    const fresh = await capture(url, { scope });
    const counts = [];
    for (const baseline of [OTHER, OTHER, asBaseline(fresh), asBaseline(fresh)]) {
      const { opened, screenshots, sha256 } = await capture(url, { scope, baseline });
      expect(sha256).toBe(fresh.sha256);
      counts.push([opened, screenshots]);
    }
    const [looked, passedOver, unchanged] = [
      [1, 2],
      [1, 1],
      [1, 1],
    ];
    expect(counts).toEqual([looked, passedOver, unchanged, [0, 1]]);
  });

  it('that shows something else than its baseline is not believed: a fresh context decides', async () => {
    const scope = newScope();
    const counted = tells('(localStorage.seen = Number(localStorage.seen ?? 0) + 1)');
    const url = site.page('/counted', counted);
    const fresh = await capture(url, {});
    const first = await capture(url, { scope, baseline: OTHER });
    expect([first.sha256, first.stability]).toEqual([fresh.sha256, 'AT_ONCE']);
  });
});

describe('a new page in which nothing can change', () => {
  it('is captured once, and asked for once more', async () => {
    const scope = newScope();
    const url = site.page('/plain', html('<h1>Plain</h1>', '<link rel="stylesheet" href="/plain.css">'));
    site.page('/plain.css', (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/css' }).end('h1 { color: green }'),
    );
    const { screenshots, stability, atRest, warnings, elements } = await capture(url, { scope });
    expect({ screenshots, stability, atRest, warnings }).toEqual({
      screenshots: 1,
      stability: 'AT_ONCE',
      atRest: true,
      warnings: [],
    });
    expect(elements).not.toBeNull();
    expect([site.hits('/plain'), site.hits('/plain.css')]).toEqual([2, 2]);
    await capture(site.page('/plain/2', html('<h1>2</h1>', '<link rel="stylesheet" href="/plain.css">')), { scope });
    // What two pages were given alike is not asked for again.
    expect(site.hits('/plain.css')).toBe(3);
  });

  const inTurns =
    (...bodies: string[]): Handler =>
    (_request, response) => {
      const at = site.hits('/turns') % bodies.length;
      response.writeHead(200, { 'content-type': 'text/html' }).end(html(bodies[at] ?? ''));
    };

  it.each([
    ['in a kept page', () => ({ scope: newScope() })],
    ['in a fresh context', () => ({})],
  ])('is loaded again when it is not served alike, %s', async (_where, changes) => {
    const url = site.page('/turns', inTurns('<p>Odd</p>', '<p>Even</p>'));
    const { screenshots, warnings } = await capture(url, changes());
    expect(screenshots).toBeGreaterThan(1);
    expect(warnings.map(({ code }) => code)).toEqual(['unstable']);
  });

  it.each([
    ['a frame', '<iframe src="/inner"></iframe>'],
    ['a refresh', '<meta http-equiv="&#114;efresh" content="30">'],
    ['a film', '<video src="/film.webm"></video>'],
    ['an object', '<object data="/inner"></object>'],
    ['a ticker', '<marquee>Text</marquee>'],
    ['a script', '<script>setTimeout(() => document.body.append("late"), 300)</script>'],
  ])('has not %s', async (_what, body) => {
    site.page('/inner', html('<script>setTimeout(() => document.body.append("late"), 300)</script>'));
    const url = newPage(html(`<p>Hello</p>${body}`));
    const quiet = await capture(url, {});
    const { sha256, screenshots } = await capture(url, { scope: newScope() });
    expect({ isSame: sha256 === quiet.sha256, isProven: screenshots === 1 }).toEqual({ isSame: true, isProven: false });
  });
});

const transitions = (selector: string) =>
  `<style>${selector} { color: red; transition: color 60s } @media (max-width: 600px) { ${selector} { color: blue } }</style>`;
/** The first part that is in the middle may be another one. */
const SNAPS = `<style>.row { display: flex; overflow: auto; scroll-snap-type: x mandatory; padding: 0 50% }
  .row p { flex: none; width: 300px; scroll-snap-align: center }</style>`;

describe('captures of a series', () => {
  const sizes = [800, 375, 1280].map((width) => ({ width, height: 600 }));
  const viewportsOf = (url: string) => sizes.map((size) => ({ ...requestOf(url).viewport, ...size }));

  /** Captures the page at each viewport, and once more without a series. @returns how often the series loaded it */
  async function captureSeries(page: string, { scope, ...changes }: Partial<CaptureRequest>) {
    const path = `/series/${(pages += 1)}`;
    const url = site.page(path, page);
    const shared = scope === undefined ? changes : { ...changes, scope };
    const series = { path };
    const taken = [];
    for (const viewport of viewportsOf(url)) taken.push(await capture(url, { ...shared, viewport, series }));
    await endSeries(series);
    const loads = site.hits(path);
    const alone = [];
    for (const viewport of viewportsOf(url)) alone.push(await capture(url, { ...changes, viewport }));
    expect(taken.map(({ sha256 }) => sha256)).toEqual(alone.map(({ sha256 }) => sha256));
    return { loads, taken, alone };
  }

  const RESPONSIVE = html(
    '<h1>Wide or narrow</h1><div class="row"><p>One of them</p><p>Another</p></div><p style="width: 50vw">Half</p>',
    `<style>
      .row { display: grid; grid-template-columns: repeat(auto-fit, minmax(240px, 1fr)); gap: 1vw }
      h1 { font-size: clamp(1rem, 5vw, 4rem); position: sticky; top: 0 }
      @media (max-width: 600px) { .row { display: none } body { background: url(/narrow.svg) } }
    </style>`,
  );
  const ONCE_AND_ITS_PROOF = 2;
  const EACH_AND_A_PROOF = 4;

  beforeAll(() => {
    site.page('/narrow.svg', (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'image/svg+xml' })
        .end('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle r="9" fill="green"/></svg>'),
    );
  });

  it.each([
    ['in a kept page', () => ({ scope: newScope() })],
    ['in a fresh context', () => ({})],
  ])('load a page once that nothing can change, %s', async (_where, changes) => {
    const { loads, taken, alone } = await captureSeries(RESPONSIVE, changes());
    expect(loads).toBe(ONCE_AND_ITS_PROOF);
    expect(taken.map(({ opened }) => opened)).toEqual([1, 0, 0]);
    const told = ({ title, elements, screenshots, warnings }: (typeof taken)[number]) => ({
      title,
      elements,
      screenshots,
      warnings,
    });
    expect(taken.map(told)).toEqual(alone.map(told));
  });

  it('record all that the page is made of, each of them', async () => {
    const { origin } = site;
    const places = { base: siteBase(origin), site: siteBase(origin) };
    const { loads, taken } = await captureSeries(RESPONSIVE, { records: { places, always: true } });
    expect(loads).toBe(ONCE_AND_ITS_PROOF);
    const urls = taken.map(({ recorded }) => recorded?.exchanges.map(({ url }) => url).toSorted());
    expect(urls[1]).toEqual(urls[2]);
    expect(urls[0]).toHaveLength(1);
    expect(urls[1]).toHaveLength(2);
  });

  it.each([
    ['a script', html('<p>Text</p><script>document.body.append(innerWidth)</script>')],
    ['a transition to the next size', html('<p>Text</p>', transitions('p'))],
    ['pictures for some sizes', html('<img srcset="/narrow.svg 300w, /narrow.svg?wide 900w" sizes="50vw">')],
    ['a focus at the end', html('<p style="height: 3000px">Tall</p><input autofocus>')],
    ['a part that is laid out elsewhere', html(`<div class="row">${'<p>Part</p>'.repeat(9)}</div>`, SNAPS)],
  ])('load a page with %s for each of them', async (_what, page) => {
    const { loads } = await captureSeries(page, { scope: newScope() });
    expect(loads).toBeGreaterThanOrEqual(EACH_AND_A_PROOF);
  });

  it('load a page again after one that rules have acted on', async () => {
    const page = html('<details><summary>More</summary><p>Text</p></details>');
    const rules = { ...requestOf(site.origin).rules, actions: [{ type: 'click' as const, selector: 'summary' }] };
    const { loads } = await captureSeries(page, { rules, scope: newScope() });
    expect(loads).toBe(EACH_AND_A_PROOF);
  });

  it('share no load with the second look of the same capture', async () => {
    let visits = 0;
    const url = site.page('/visits', (_request, response) => {
      visits += 1;
      response.writeHead(200, { 'content-type': 'text/html' }).end(html(`<p>Visit ${visits}</p>`));
    });
    const series = { path: '/visits' };
    const taken = [await capture(url, { series }), await capture(url, { series })];
    await endSeries(series);
    expect(taken.map(({ stability }) => stability)).toEqual(['UNSTABLE', 'UNSTABLE']);
  });

  it('close their contexts when they end', async () => {
    const lease = await pool.lease();
    const { browser } = lease.launched;
    // Contexts of earlier tests may end at any time.
    const before = new Set(browser.contexts());
    const opened = () => browser.contexts().filter((context) => !before.has(context));
    const series = { path: '/ends' };
    await capture(newPage(html('<p>Ends</p>')), { series });
    expect(opened()).toHaveLength(1);
    await endSeries(series);
    expect(opened()).toHaveLength(0);
    lease.release();
  });
});
