import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CaptureSeries } from '../../src/capture/browser/capture-request.ts';
import { endSeries } from '../../src/capture/series.ts';
import { openKeptBrowser, OTHER, type KeptTestBrowser } from './kept-browser.ts';
import { requestOf } from './requests.ts';
import { html } from './site.ts';

let kept: KeptTestBrowser;
beforeAll(async () => {
  kept = await openKeptBrowser();
});
afterAll(async () => kept.close());

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
    const scope = kept.newScope();
    const told: unknown[] = [];
    kept.site.page('/told', (request, response) => {
      told.push(JSON.parse(decodeURIComponent(request.url?.split('?')[1] ?? '')));
      response.writeHead(204).end();
    });
    const [leaving, telling] = [kept.newPage(leaves(LEAVING)), kept.newPage(leaves(TELLING))];
    const fresh = await kept.capture(telling, {});
    await kept.capture(leaving, { scope, baseline: OTHER });
    told.length = 0;
    const { opened, screenshots } = await kept.capture(telling, { scope, baseline: asBaseline(fresh) });
    expect({ opened, screenshots, told }).toEqual({ opened: 0, screenshots: 1, told: [NOTHING] });
  });

  it('asks the server for everything again, whatever it may be kept for', async () => {
    const scope = kept.newScope();
    let color = 'red';
    const head = '<link rel="stylesheet" href="/lasting.css">';
    kept.site.page('/lasting.css', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/css', 'cache-control': 'max-age=1000, immutable' });
      response.end(`body { background: ${color} }`);
    });
    const [one, two] = [kept.site.page('/lasting/1', html('1', head)), kept.site.page('/lasting/2', html('2', head))];
    await kept.capture(one, { scope });
    color = 'blue';
    const fresh = await kept.capture(two, {});
    const { opened, screenshots } = await kept.capture(two, { scope, baseline: asBaseline(fresh) });
    expect({ opened, screenshots }).toEqual({ opened: 0, screenshots: 1 });
  });

  it('is not looked at before a timer that it has set', async () => {
    const scope = kept.newScope();
    const late = `<script>setTimeout(() => { found.textContent = 'late' }, 300)</script>`;
    const url = kept.newPage(html(`<p id="found">early</p>${late}`));
    const seed = await kept.capture(url, { scope });
    const { sha256, opened, screenshots } = await kept.capture(url, { scope, baseline: asBaseline(seed) });
    expect([seed.screenshots, screenshots, opened, sha256]).toEqual([2, 1, 0, seed.sha256]);
  });

  it('is of one scope and of one kind of visitor', async () => {
    const url = kept.site.page('/kinds', html('<p>Hello</p>'));
    const emulation = { ...requestOf(url).emulation, locale: 'de-DE' };
    const counts = [];
    for (const changes of [{ scope: 'one' }, { scope: 'one' }, { scope: 'two' }, { scope: 'two', emulation }]) {
      counts.push((await kept.capture(url, changes)).opened);
    }
    expect(counts).toEqual([1, 0, 1, 1]);
  });

  it('is passed over after a page that has changed, and until one has not', async () => {
    const scope = kept.newScope();
    const url = kept.newPage(html('<p>Plain</p>'));
    const fresh = await kept.capture(url, { scope });
    const counts = [];
    const other = kept.newPage(html('<p>Other</p>'));
    for (const baseline of [OTHER, OTHER, asBaseline(fresh), asBaseline(fresh)]) {
      const { opened, screenshots, sha256 } = await kept.capture(url, { scope, baseline });
      expect(sha256).toBe(fresh.sha256);
      counts.push([opened, screenshots]);
      // A context that is passed over is closed after a while. On a busy machine, that is before the last capture.
      await kept.capture(other, { scope });
    }
    const [looked, passedOver, unchanged] = [
      [1, 2],
      [1, 1],
      [1, 1],
    ];
    expect(counts).toEqual([looked, passedOver, unchanged, [0, 1]]);
  });

  it('that shows something else than its baseline is not believed: a fresh context decides', async () => {
    const scope = kept.newScope();
    const counted = tells('(localStorage.seen = Number(localStorage.seen ?? 0) + 1)');
    const url = kept.site.page('/counted', counted);
    const fresh = await kept.capture(url, {});
    const first = await kept.capture(url, { scope, baseline: OTHER });
    expect([first.sha256, first.stability]).toEqual([fresh.sha256, 'AT_ONCE']);
  });
});

describe('a new page in which nothing can change', () => {
  it('is captured once, and asked for once more', async () => {
    const scope = kept.newScope();
    const url = kept.site.page('/plain', html('<h1>Plain</h1>', '<link rel="stylesheet" href="/plain.css">'));
    kept.site.page('/plain.css', (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/css' }).end('h1 { color: green }'),
    );
    const { screenshots, stability, atRest, warnings, elements } = await kept.capture(url, { scope });
    expect({ screenshots, stability, atRest, warnings }).toEqual({
      screenshots: 1,
      stability: 'AT_ONCE',
      atRest: true,
      warnings: [],
    });
    expect(elements).not.toBeNull();
    expect([kept.site.hits('/plain'), kept.site.hits('/plain.css')]).toEqual([2, 2]);
    await kept.capture(kept.site.page('/plain/2', html('<h1>2</h1>', '<link rel="stylesheet" href="/plain.css">')), {
      scope,
    });
    // What two pages were given alike is not asked for again.
    expect(kept.site.hits('/plain.css')).toBe(3);
  });
});

describe('captures of a series', () => {
  it('close their contexts when they end', async () => {
    const lease = await kept.pool.lease();
    const { browser } = lease.launched;
    // Contexts of earlier tests may end at any time.
    const before = new Set(browser.contexts());
    const opened = () => browser.contexts().filter((context) => !before.has(context));
    const series = { path: '/ends' };
    await kept.capture(kept.newPage(html('<p>Ends</p>')), { series });
    expect(opened()).toHaveLength(1);
    await endSeries(series);
    expect(opened()).toHaveLength(0);
    lease.release();
  });

  it.each([
    ['waits for rest', html('<p>Text</p><script>fetch("/held")</script>'), true],
    ['can no longer change', html('<p>Plain</p>'), false],
  ])('tell whether the page %s', async (_what, text, tells) => {
    let waits = false;
    const series: CaptureSeries = { path: '/tells' };
    const waiting = new Promise<void>((resolve) => {
      series.onWait = () => {
        waits = true;
        resolve();
      };
    });
    // It is answered when the page is waited for.
    kept.site.page('/held', (_request, response) => void waiting.then(() => response.end()));
    await kept.capture(kept.newPage(text), { series });
    await endSeries(series);
    expect(waits).toBe(tells);
  });
});
