import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CaptureRequest } from '../../src/capture/browser/capture-request.ts';
import { endSeries } from '../../src/capture/series.ts';
import { siteBase } from '../../src/net/site-base.ts';
import { openKeptBrowser, OTHER, type KeptTestBrowser } from './kept-browser.ts';
import { requestOf } from './requests.ts';
import { html, type Handler } from './site.ts';

let kept: KeptTestBrowser;
beforeAll(async () => {
  kept = await openKeptBrowser();
});
afterAll(async () => kept.close());

let count = 0;

const asBaseline = ({ sha256, atRest }: { sha256: string; atRest: boolean }) => ({ sha256, atRest });

/** Draws what a script finds out. */
const tells = (expression: string) =>
  html(`<p id="found">?</p><script type="module">found.textContent = JSON.stringify(${expression})</script>`);
const leaves = (script: string) => html(`<p>Leaves something</p><script type="module">${script}</script>`);

describe('a page that is kept', () => {
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
    const scope = kept.newScope();
    const [leaving, telling] = [kept.newPage(first), kept.newPage(next)];
    await kept.capture(leaving, { scope, baseline: OTHER });
    const fresh = await kept.capture(telling, {});
    const { opened, screenshots } = await kept.capture(telling, { scope, baseline: asBaseline(fresh) });
    expect({ opened, screenshots }).toEqual({ opened: 1, screenshots: 1 });
  });

  it('shows the next one without a transition from itself', async () => {
    const scope = kept.newScope();
    const slow = `<style>@view-transition { navigation: auto }
      ::view-transition-group(*), ::view-transition-old(*), ::view-transition-new(*) { animation-duration: 60s }</style>`;
    const [one, two] = ['<h1>One</h1>', '<p>Another</p>'].map((body) => kept.newPage(html(body, slow)));
    const [fresh] = [await kept.capture(two ?? '', {}), await kept.capture(one ?? '', { scope })];
    const next = await kept.capture(two ?? '', { scope });
    expect([next.sha256, next.opened, next.screenshots]).toEqual([fresh.sha256, 0, 1]);
  });

  it('takes the size of the next viewport', async () => {
    const scope = kept.newScope();
    const url = kept.newPage(
      html('<p style="width: 50%; background: green">Half</p><p style="height: 900px">Tall</p>'),
    );
    const widths = [800, 375, 1280, 800];
    const named = widths.map((width) => ({ ...requestOf(url).viewport, name: `${width}`, width, height: width }));
    const opened: number[] = [];
    for (const viewport of named) {
      const fresh = await kept.capture(url, { viewport });
      const next = await kept.capture(url, { viewport, scope });
      expect([next.sha256, next.screenshots]).toEqual([fresh.sha256, 1]);
      opened.push(next.opened);
    }
    expect(opened).toEqual([1, 0, 0, 0]);
    expect((await kept.capture(url, { scope })).opened).toBe(0);
  });
});

describe('a new page in which nothing can change', () => {
  const inTurns =
    (...bodies: string[]): Handler =>
    (_request, response) => {
      const at = kept.site.hits('/turns') % bodies.length;
      response.writeHead(200, { 'content-type': 'text/html' }).end(html(bodies[at] ?? ''));
    };

  it.each([
    ['in a kept page', () => ({ scope: kept.newScope() })],
    ['in a fresh context', () => ({})],
  ])('is loaded again when it is not served alike, %s', async (_where, changes) => {
    const url = kept.site.page('/turns', inTurns('<p>Odd</p>', '<p>Even</p>'));
    const { screenshots, warnings } = await kept.capture(url, changes());
    expect(screenshots).toBeGreaterThan(1);
    expect(warnings.map(({ code }) => code)).toEqual(['unstable']);
  });

  const BY_CHANCE = 'background: rgb(random(0, 255) random(0, 255) random(0, 255))';
  const DOT = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><style>rect { ${BY_CHANCE.replace('background', 'fill')} }</style><rect width="9" height="9"/></svg>`;

  it.each([
    ['in itself', `<p style="${BY_CHANCE}">Hello</p>`],
    ['in a style sheet', '<link rel="stylesheet" href="/chance.css"><p>Hello</p>'],
    ['in a picture', '<img src="/chance.svg">'],
  ])('is loaded again when it is drawn by chance, %s', async (_where, body) => {
    for (const [path, type, text] of [
      ['/chance.css', 'text/css', `p { ${BY_CHANCE} }`],
      ['/chance.svg', 'image/svg+xml', DOT],
    ] as const) {
      kept.site.page(path, (_, response) => response.writeHead(200, { 'content-type': type }).end(text));
    }
    const { stability } = await kept.capture(kept.newPage(html(body)), { scope: kept.newScope() });
    expect(stability).toBe('UNSTABLE');
  });

  it.each([
    ['a frame', '<iframe src="/inner"></iframe>'],
    ['a refresh', '<meta http-equiv="&#114;efresh" content="30">'],
    ['a film', '<video src="/film.webm"></video>'],
    ['an object', '<object data="/inner"></object>'],
    ['a ticker', '<marquee>Text</marquee>'],
    ['a script', '<script>setTimeout(() => document.body.append("late"), 300)</script>'],
  ])('has not %s', async (_what, body) => {
    kept.site.page('/inner', html('<script>setTimeout(() => document.body.append("late"), 300)</script>'));
    const url = kept.newPage(html(`<p>Hello</p>${body}`));
    const quiet = await kept.capture(url, {});
    const { sha256, screenshots } = await kept.capture(url, { scope: kept.newScope() });
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
    const path = `/series/${(count += 1)}`;
    const url = kept.site.page(path, page);
    const shared = scope === undefined ? changes : { ...changes, scope };
    const series = { path };
    const taken = [];
    for (const viewport of viewportsOf(url)) taken.push(await kept.capture(url, { ...shared, viewport, series }));
    await endSeries(series);
    const loads = kept.site.hits(path);
    const alone = [];
    for (const viewport of viewportsOf(url)) alone.push(await kept.capture(url, { ...changes, viewport }));
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
    kept.site.page('/narrow.svg', ({ url }, response) => {
      const picture =
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle r="9" fill="green"/></svg>';
      response.writeHead(200, { 'content-type': 'image/svg+xml' });
      setTimeout(() => response.end(picture), url?.includes('late') === true ? 700 : 0);
    });
  });

  it.each([
    ['in a kept page', RESPONSIVE, () => ({ scope: kept.newScope() })],
    ['in a fresh context', RESPONSIVE, () => ({})],
    ['with a late picture', RESPONSIVE.replace('.svg', '.svg?late'), () => ({ scope: kept.newScope() })],
  ])('load a page once that nothing can change, %s', async (_where, page, changes) => {
    const { loads, taken, alone } = await captureSeries(page, changes());
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
    const { origin } = kept.site;
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
    const { loads } = await captureSeries(page, { scope: kept.newScope() });
    expect(loads).toBeGreaterThanOrEqual(EACH_AND_A_PROOF);
  });

  it('load a page again after one that rules have acted on', async () => {
    const page = html('<details><summary>More</summary><p>Text</p></details>');
    const rules = { ...requestOf(kept.site.origin).rules, actions: [{ type: 'click' as const, selector: 'summary' }] };
    const { loads } = await captureSeries(page, { rules, scope: kept.newScope() });
    expect(loads).toBe(EACH_AND_A_PROOF);
  });

  it('share no load with the second look of the same capture', async () => {
    let visits = 0;
    const url = kept.site.page('/visits', (_request, response) => {
      visits += 1;
      response.writeHead(200, { 'content-type': 'text/html' }).end(html(`<p>Visit ${visits}</p>`));
    });
    const series = { path: '/visits' };
    const taken = [await kept.capture(url, { series }), await kept.capture(url, { series })];
    await endSeries(series);
    expect(taken.map(({ stability }) => stability)).toEqual(['UNSTABLE', 'UNSTABLE']);
  });
});
