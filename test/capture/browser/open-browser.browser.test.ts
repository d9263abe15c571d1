import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser as VisitorsBrowser } from 'playwright';
import { PNG } from 'pngjs';
import type { Browser } from '../../../src/capture/browser/browser.ts';
import { openBrowser } from '../../../src/capture/browser/open-browser.ts';
import { openVisitorsBrowser } from '../../support/visitor.ts';
import { loadingOnce, type QuickBrowser } from '../load-once.ts';
import { readPixels } from '../pixels.ts';
import { LOCAL, never, requestOf } from '../requests.ts';
import { html, openSite, type Site } from '../site.ts';

let site: Site;
let browser: Browser;
let quick: QuickBrowser;

beforeAll(async () => {
  site = await openSite();
  browser = openBrowser(LOCAL);
  quick = loadingOnce();
});

afterAll(async () => {
  await Promise.all([browser.close(), quick.close()]);
  await site.close();
});

const paragraphs = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `<p>Paragraph ${index} of a page that is longer than its window.</p>`,
  ).join('');

async function playwrightScreenshot(reference: VisitorsBrowser, url: string): Promise<Buffer> {
  const context = await reference.newContext({
    viewport: { width: 800, height: 600 },
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
  });
  const page = await context.newPage();
  await page.goto(url);
  await page.mouse.move(-1, -1);
  const png = await page.screenshot({ fullPage: true, animations: 'disabled' });
  await context.close();
  return png;
}

describe('the screenshots', () => {
  const pages: [string, string][] = [
    ['fits its window', html('<h1>Short</h1><p>A line of text.</p>')],
    ['is taller than its window', html(`<h1>Long</h1>${paragraphs(80)}`)],
    [
      'is wider than its window',
      html('<div style="width:1500px;height:40px;background:linear-gradient(90deg,red,blue)">x</div>'),
    ],
    [
      'has a fixed header',
      html(`<div style="position:fixed;top:0;width:100%;background:#eee">Fixed</div>${paragraphs(60)}`),
    ],
    [
      'shows a form',
      html('<form><input autofocus value="text"><select><option>One</select><button>Go</button></form>'),
    ],
    [
      'puts the caret into a field without a script element',
      `<!doctype html><body onload="document.querySelector('input').focus()"><input value="text">`,
    ],
    ['is in quirks mode', '<body bgcolor=#ffe><table height=100%><tr><td>old</table>'],
  ];
  let reference: VisitorsBrowser;
  beforeAll(async () => {
    reference = await openVisitorsBrowser();
  });
  afterAll(async () => reference.close());

  it.each(pages)("have the pixels of Playwright's own screenshot when the page %s", async (name, source) => {
    const url = site.page(`/${name.replaceAll(' ', '-')}`, source);
    const screenshot = await quick.capture(requestOf(url), never);
    const ours = PNG.sync.read(screenshot.png);
    const theirs = PNG.sync.read(await playwrightScreenshot(reference, url));
    expect([ours.width, ours.height]).toEqual([theirs.width, theirs.height]);
    expect(ours.data.equals(theirs.data)).toBe(true);
    expect([screenshot.width, screenshot.height]).toEqual([ours.width, ours.height]);
    expect(screenshot.warnings).toEqual([]);
  });

  it('show only the window when the full page is not asked for', async () => {
    const url = site.page('/window', html(paragraphs(80)));
    const screenshot = await quick.capture(requestOf(url, { fullPage: false }), never);
    expect([screenshot.width, screenshot.height]).toEqual([800, 600]);
  });

  it('have the custom style, in shadow trees and under a content security policy too', async () => {
    const source = html(
      '<div class="clock" style="height:100px;background:red"></div><p id="host"></p><script src="/shadow.js"></script>',
    );
    site.page('/shadow.js', (_, response) => {
      response.setHeader('content-type', 'text/javascript');
      response.end('host.attachShadow({mode:"open"}).innerHTML = "<div class=clock style=height:200px>x</div>"');
    });
    const url = site.page('/custom', (_, response) => {
      response.setHeader('content-type', 'text/html');
      response.setHeader('content-security-policy', "default-src 'self'; style-src 'self'");
      response.end(source);
    });
    const customCss = '.clock { display: none !important } body { background: rgb(0, 128, 0) }';
    const { png } = await quick.capture(requestOf(url, { customCss }), never);
    const screenshot = PNG.sync.read(png);
    for (const offset of [0, 4 * (800 * 50 + 400), 4 * (800 * 200 + 400)]) {
      expect([...screenshot.data.subarray(offset, offset + 3)]).toEqual([0, 128, 0]);
    }
  });

  it('have the time zone of the suite, in whatever case it is written', async () => {
    const url = site.page('/time', html('<script>document.write(new Date(0))</script>'));
    const take = async (timezone: string) =>
      quick.capture(requestOf(url, { emulation: { ...requestOf(url).emulation, timezone } }), never);
    const utc = await take('UTC');
    for (const [written, meant] of [
      ['europe/berlin', 'Europe/Berlin'],
      ['us/pacific', 'US/Pacific'],
    ] as const) {
      const { sha256 } = await take(written);
      expect(sha256).toBe((await take(meant)).sha256);
      expect(sha256).not.toBe(utc.sha256);
    }
  });

  it('do not show what the mouse would hover', async () => {
    const url = site.page(
      '/hover',
      html('', '<style>html { background: lime } html:hover { background: red }</style>'),
    );
    const { png } = await quick.capture(requestOf(url), never);
    expect([...PNG.sync.read(png).data.subarray(0, 3)]).toEqual([0, 255, 0]);
  });

  it.concurrent('show what only loads when it comes into view', async () => {
    const url = site.page(
      '/lazy',
      html(
        `<div style="height:5000px"></div><div id="box" style="height:100px;background:red"></div>
         <img loading="lazy" src="/lazy.svg" style="display:block">
         <script>new IntersectionObserver(([entry], observer) => {
           if (entry.isIntersecting) { box.style.background = 'lime'; observer.disconnect(); }
         }).observe(box)</script>`,
        '<style>body { margin: 0 }</style>',
      ),
    );
    site.page('/lazy.svg', (_, response) => {
      response.setHeader('content-type', 'image/svg+xml');
      response.end(
        '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="blue"/></svg>',
      );
    });
    const { png, height } = await quick.capture(requestOf(url), never);
    const screenshot = PNG.sync.read(png);
    expect(height).toBe(5200);
    expect([...screenshot.data.subarray(4 * 800 * 5050, 4 * 800 * 5050 + 3)]).toEqual([0, 255, 0]);
    expect([...screenshot.data.subarray(4 * 800 * 5150, 4 * 800 * 5150 + 3)]).toEqual([0, 0, 255]);
  });

  it.concurrent('show an image that a script gives up when it leaves the window too soon', async () => {
    const url = site.page(
      '/given-up',
      html(
        `<div style="height:2000px"></div><img id="late" width="100" height="100" style="display:block"><div style="height:2000px"></div>
         <script>new IntersectionObserver(([{ isIntersecting }]) => {
           if (isIntersecting) late.src = '/slow.svg'; else if (!late.complete) late.removeAttribute('src');
         }).observe(late)</script>`,
        '<style>body { margin: 0 }</style>',
      ),
    );
    site.page('/slow.svg', (_, response) => {
      const svg = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="100" height="100" fill="blue"/></svg>';
      setTimeout(() => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(svg), 400);
    });
    const pixels = await readPixels((await quick.capture(requestOf(url), never)).png);
    expect(pixels.boxOf([0, 0, 255])).toEqual([0, 2000, 100, 100]);
  });

  it.concurrent('show what is lazy in a frame, and a lazy video, however far down', async () => {
    const frame = '<style>body { margin: 0 }</style><img loading="lazy" src="/poster.svg">';
    const url = site.page(
      '/lazy-below',
      html(
        `<div style="height:6000px"></div><iframe srcdoc='${frame}' style="height:100px;border:0"></iframe>
         <video loading="lazy" poster="/poster.svg" width="100" height="100"></video>`,
        '<style>body { margin: 0 } iframe, video { display: block }</style>',
      ),
    );
    site.page('/poster.svg', (_, response) => {
      response.setHeader('content-type', 'image/svg+xml');
      response.end(
        '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="blue"/></svg>',
      );
    });
    const pixels = await readPixels((await quick.capture(requestOf(url), never)).png);
    expect(pixels.boxOf([0, 0, 255])).toEqual([0, 6000, 100, 200]);
  });

  it.concurrent('leave a body alone that hides what is beside it, but does not scroll', async () => {
    const url = site.page(
      '/body-hides',
      html(
        '<div style="height:2000px"></div><p></p><div style="height:500px"></div>',
        '<style>html, body { margin: 0; overflow-x: hidden } p { position: sticky; bottom: 0; margin: 0 100% 0 -20px; width: 60px; height: 100px; background: blue }</style>',
      ),
    );
    const { png, warnings } = await quick.capture(requestOf(url), never);
    const pixels = await readPixels(png);
    expect([pixels.height, pixels.boxOf([0, 0, 255]), warnings]).toEqual([2600, [0, 2000, 40, 100], []]);
  });

  it.concurrent.each(['auto', 'hidden scroll'])('show all of a body that scrolls by itself: %s', async (overflow) => {
    const url = site.page(
      `/body-${overflow.slice(0, 4)}`,
      html(
        '<div style="height:2000px;margin-top:50px"></div><div style="height:100px;background:blue"></div>',
        `<style>html, body { height: 100%; margin: 0; overflow: ${overflow} }</style>`,
      ),
    );
    const { png, warnings } = await quick.capture(requestOf(url), never);
    const pixels = await readPixels(png);
    expect([pixels.height, pixels.boxOf([0, 0, 255]), warnings]).toEqual([2150, [0, 2050, 800, 100], []]);
  });

  it.concurrent.each([
    ['an element', '#e'],
    ['the page', 'body'],
    ['a part before an element', '#e::before'],
    ['a part after it, by a rule in another', '@media screen { #e { &::after'],
  ])('show below the window a background that is fixed to it: of %s', async (name, selector) => {
    const background = 'background: linear-gradient(lime, lime) fixed';
    const url = site.page(
      `/fixed-${name.length}`,
      html(
        '<div style="height:2000px"></div><div id="e"></div>',
        `<style>body { margin: 0 } #e { position: relative; height: 300px } #e::before, #e::after { position: absolute; inset: 0; content: '' } ${selector} { ${background} }</style>`,
      ),
    );
    const pixels = await readPixels((await quick.capture(requestOf(url), never)).png);
    const lime = selector === 'body' ? [0, 0, 800, 2300] : [0, 2000, 800, 300];
    expect(pixels.boxOf([0, 255, 0])).toEqual(lime);
  });

  it.concurrent.each([
    ['a variable', (rule: string) => `<style>:root { --how: fixed } ${rule.replace('fixed', 'var(--how)')}</style>`],
    [
      'a style sheet of another origin',
      (rule: string) => {
        site.page('/fixed.css', (_, response) => response.writeHead(200, { 'content-type': 'text/css' }).end(rule));
        return `<link rel="stylesheet" href="${site.origin.replace('127.0.0.1', 'localhost')}/fixed.css">`;
      },
    ],
  ])('show below the window a part whose background is fixed to it by %s', async (name, styles) => {
    const part =
      "#e::before { display: block; height: 300px; content: ''; background: linear-gradient(lime, lime) fixed }";
    const url = site.page(
      `/fixed-by-${name.length}`,
      html('<div style="height:2000px"></div><div id="e"></div>', `<style>body { margin: 0 }</style>${styles(part)}`),
    );
    const pixels = await readPixels((await quick.capture(requestOf(url), never)).png);
    expect(pixels.boxOf([0, 255, 0])).toEqual([0, 2000, 800, 300]);
  });

  it.concurrent.each([
    ['at most now and then', 'waits ||= setTimeout(() => { waits = 0; show() }, 125)'],
    ['once scrolling has paused', 'clearTimeout(waits); waits = setTimeout(show, 100)'],
    [
      'some time after a frame',
      'requestAnimationFrame(() => { waits ||= setTimeout(() => { waits = 0; show() }, 125) })',
    ],
    ['at most now and then, by the date', 'if (Date.now() - at > 200) { at = Date.now(); show() }'],
    ['at most now and then, by a new date', 'if (new Date() - at > 200) { at = +new Date(); show() }'],
    ['once scrolling has paused, by the date', 'at = Date.now(); waits ||= setTimeout(look, 200)'],
  ])('show parts that come into view where a script looks for them %s', async (name, reacts) => {
    const url = site.page(
      `/slowed-${name.length}`,
      html(
        `${'<div style="height:1000px"></div>'.repeat(5)}
         <script>let [waits, at] = [0, 0];
           const look = () => { const left = at + 200 - Date.now(); waits = left > 0 ? setTimeout(look, left) : 0; if (left <= 0) show() };
           const show = () => { for (const part of document.querySelectorAll('div')) {
             const { top, bottom } = part.getBoundingClientRect(); if (top < innerHeight && bottom > 0) part.style.background = 'lime' } };
           show(); addEventListener('scroll', () => { ${reacts} })</script>`,
        '<style>body { margin: 0 }</style>',
      ),
    );
    const pixels = await readPixels((await quick.capture(requestOf(url), never)).png);
    const tops = [500, 1500, 2500, 3500, 4500];
    expect(tops.map((top) => pixels.at(400, top))).toEqual(tops.map(() => [0, 255, 0]));
  });

  it.concurrent.each([
    ['observes it', 'new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) show() }).observe(part)'],
    ['listens to scrolling', 'onscroll = () => { if (scrollY > 1000) show() }'],
  ])('show a part that comes into view where a script that came late %s', async (name, reacts) => {
    site.page(`/reacts-${name.length}.js`, (_, response) => {
      response.setHeader('content-type', 'text/javascript');
      setTimeout(() => response.end(`const show = () => { part.style.background = 'lime' }; ${reacts}`), 300);
    });
    const url = site.page(
      `/late-${name.length}`,
      html(
        `<div style="height:2000px"></div><div id="part" style="height:100px"></div>
         <script>addEventListener('load', () => { const script = document.createElement('script'); script.src = '/reacts-${name.length}.js'; document.head.append(script) })</script>`,
        '<style>body { margin: 0 }</style>',
      ),
    );
    const pixels = await readPixels((await quick.capture(requestOf(url), never)).png);
    expect(pixels.boxOf([0, 255, 0])).toEqual([0, 2000, 800, 100]);
  });

  it.concurrent(
    'show a list to its end that loads more each time its end comes into view, however long stabilizing takes',
    async () => {
      const url = site.page(
        '/list',
        html(
          `<img src="/slow-in-list.svg" width="10" height="10"><div style="height:600px"></div><i id="end"></i>
         <script>let loads = 0;
         new IntersectionObserver(async ([entry], observer) => {
           if (!entry.isIntersecting || loads === 2) return;
           loads += 1;
           await fetch('/more');
           end.insertAdjacentHTML('beforebegin', '<div style="height:700px;background:lime"></div>');
           observer.unobserve(end);
           observer.observe(end);
         }).observe(end)</script>`,
          '<style>body { margin: 0 } img, i { display: block }</style>',
        ),
      );
      site.page('/more', '');
      // What is added while this loads has come before the page has its size.
      site.page('/slow-in-list.svg', (_, response) => {
        setTimeout(() => {
          response.setHeader('content-type', 'image/svg+xml');
          response.end('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>');
        }, 1500);
      });
      const first = await browser.capture(requestOf(url, { waitStrategy: 'domcontentloaded' }), never);
      expect(first.height).toBe(610 + 2 * 700);
      const baseline = { sha256: first.sha256, atRest: true };
      const again = await browser.capture(requestOf(url, { waitStrategy: 'domcontentloaded', baseline }), never);
      expect(again.sha256).toBe(first.sha256);
    },
  );

  it.concurrent('stop slides that a timer scrolls on without end', async () => {
    const slides = ['red', 'lime', 'blue', 'gray'].map(
      (color) => `<div style="flex:0 0 300px;height:60px;background:${color}"></div>`,
    );
    const url = site.page(
      '/slides',
      html(`<div id="slides" style="display:flex;overflow:auto;width:300px">${slides.join('')}</div>
        <script>let n = 0; setInterval(() => { n += 1; slides.scrollLeft = 300 * (n % 4) }, 400)</script>`),
    );
    const { warnings } = await browser.capture(requestOf(url), never);
    expect(warnings.map(({ code }) => code)).toEqual(['clock_stopped']);
  });

  it.concurrent('show the end of animations and transitions, and never a moment of an endless one', async () => {
    const url = site.page(
      '/moving',
      html(
        '<div class="once"></div><div class="endless"></div><div class="late"></div><svg width="80" height="80"><rect width="9" height="80"><animate attributeName="width" from="0" to="80" dur="3s" repeatCount="indefinite"/></rect></svg>' +
          "<script>requestAnimationFrame(() => requestAnimationFrame(() => document.querySelector('.late').classList.add('on')))</script>",
        `<style>body{margin:0} div { width: 100px; height: 100px; background: red }
         @keyframes go { to { background: lime } } .once { animation: go 60s forwards }
         @keyframes spin { to { transform: translateX(300px) } } .endless { animation: spin 1s infinite }
         .late { transition: background 60s } .late.on { background: blue }</style>`,
      ),
    );
    const screenshot = await browser.capture(requestOf(url), never);
    const pixels = PNG.sync.read(screenshot.png);
    const at = (x: number, y: number) => [...pixels.data.subarray(4 * (800 * y + x), 4 * (800 * y + x) + 3)];
    expect([at(50, 50), at(50, 150), at(50, 250)]).toEqual([
      [0, 255, 0],
      [255, 0, 0],
      [0, 0, 255],
    ]);
    expect(screenshot.warnings).toEqual([]);
    const again = await browser.capture(requestOf(url), never);
    expect(again.sha256).toBe(screenshot.sha256);
  });

  it.concurrent('show an animation that is paused from its beginning where it stands', async () => {
    const url = site.page(
      '/paused',
      html(
        '<div class="halfway"></div><div class="hidden"></div>',
        `<style>body{margin:0} div { width: 100px; height: 100px; background: red; animation-play-state: paused !important }
         @keyframes color { 50%, to { background: lime } } .halfway { animation: color 10s step-start -6s infinite }
         @keyframes fade { from { opacity: 0 } } .hidden { animation: fade 1s both }</style>`,
      ),
    );
    const pixels = await readPixels((await quick.capture(requestOf(url), never)).png);
    expect([pixels.boxOf([0, 255, 0]), pixels.boxOf([255, 0, 0])]).toEqual([[0, 0, 100, 100], null]);
  });

  it.concurrent('wait for slow images that a script adds after load', async () => {
    site.page('/slow.svg', (_, response) => {
      response.setHeader('content-type', 'image/svg+xml');
      setTimeout(
        () =>
          response.end(
            '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"><rect width="50" height="50" fill="blue"/></svg>',
          ),
        500,
      );
    });
    const url = site.page(
      '/adds',
      html(
        `<script>addEventListener('load', () => { document.body.append(Object.assign(new Image(), { src: '/slow.svg' })) })</script>`,
        '<style>body{margin:0}</style>',
      ),
    );
    const { png } = await quick.capture(requestOf(url), never);
    expect([...PNG.sync.read(png).data.subarray(0, 3)]).toEqual([0, 0, 255]);
  });
});

describe('settling', () => {
  const LATE = '<p id="late">…</p>';

  it.concurrent('awaits what is still to come before it seeds a baseline', async () => {
    const url = site.page(
      '/late',
      html(`${LATE}<script>setTimeout(() => { late.style.height = '900px' }, 2000)</script>`),
    );
    const { height, stability, atRest } = await browser.capture(requestOf(url), never);
    expect(height).toBeGreaterThan(900);
    expect({ stability, atRest }).toEqual({ stability: 'AT_ONCE', atRest: true });
  });

  it.concurrent('does not believe a screenshot with the bytes of the baseline while something is to come', async () => {
    const quiet = site.page('/quiet', html(LATE));
    const { sha256 } = await browser.capture(requestOf(quiet), never);
    site.page('/quiet', html(`${LATE}<script>setTimeout(() => { late.style.height = '900px' }, 1500)</script>`));
    const changed = await browser.capture(requestOf(quiet, { baseline: { sha256, atRest: true } }), never);
    expect(changed.height).toBeGreaterThan(900);
  });

  it.concurrent('shows an older baseline the page as it was taken then, and the page at rest', async () => {
    const url = site.page(
      '/older',
      html(`${LATE}<script>setTimeout(() => { late.textContent = 'now' }, 1500)</script>`),
    );
    site.page('/before', html(LATE));
    const { sha256 } = await browser.capture(requestOf(`${site.origin}/before`), never);
    const capture = await browser.capture(requestOf(url, { baseline: { sha256, atRest: false } }), never);
    expect(capture.asBefore).toBe('not_at_rest');
    expect(capture.sha256).not.toBe(sha256);
    expect(capture.atRest).toBe(true);
  });

  it.concurrent('takes one look at an unchanged page', async () => {
    const url = site.page('/same', html('<p>Always the same</p>'));
    const first = await browser.capture(requestOf(url), never);
    const before = site.hits('/same');
    const second = await browser.capture(requestOf(url, { baseline: { sha256: first.sha256, atRest: true } }), never);
    expect(second.sha256).toBe(first.sha256);
    expect(site.hits('/same') - before).toBe(1);
  });

  it.concurrent(
    'believes the first of two equal looks: a screenshot leaves the layout of the next as it was',
    async () => {
      const url = site.page('/code', html(`<pre>${'wide code in a line '.repeat(20)}</pre>${paragraphs(60)}`));
      const first = await browser.capture(requestOf(url), never);
      const second = await browser.capture(requestOf(url, { baseline: { sha256: first.sha256, atRest: true } }), never);
      expect(second.sha256).toBe(first.sha256);
      expect(site.hits('/code')).toBe(3);
    },
  );

  it.concurrent('loads a page that differs from its baseline once more, and believes what both show', async () => {
    const url = site.page('/differs', html('<p>Something new</p>'));
    const screenshot = await browser.capture(
      requestOf(url, { baseline: { sha256: '0'.repeat(64), atRest: true } }),
      never,
    );
    expect(site.hits('/differs')).toBe(2);
    expect(screenshot.warnings).toEqual([]);
  });

  /** Without a script, a second load would be spared. */
  const MAY_CHANGE = '<script>0</script>';

  it.concurrent('takes the baseline when the second look shows it', async () => {
    const usual = html(`<p>The usual</p>${MAY_CHANGE}`);
    const url = site.page('/flaky', usual);
    const baseline = await browser.capture(requestOf(url), never);
    let views = 0;
    site.page('/flaky', (_, response) => {
      views += 1;
      response.setHeader('content-type', 'text/html');
      response.end(views === 1 ? html(`<p>A hiccup</p>${MAY_CHANGE}`) : usual);
    });
    const screenshot = await browser.capture(
      requestOf(url, { baseline: { sha256: baseline.sha256, atRest: true } }),
      never,
    );
    expect(screenshot).toMatchObject({ sha256: baseline.sha256, stability: 'UNSTABLE' });
    expect(screenshot.alsoSeen).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(screenshot.warnings.map(({ code }) => code)).toEqual(['unstable']);
    expect(views).toBe(2);
  });

  it.concurrent('warns of a page that looks different in each load', async () => {
    let views = 0;
    const url = site.page('/random', (_, response) => {
      views += 1;
      response.setHeader('content-type', 'text/html');
      response.end(html(`<p>View ${views}</p>`));
    });
    const screenshot = await browser.capture(
      requestOf(url, { baseline: { sha256: '0'.repeat(64), atRest: true } }),
      never,
    );
    expect(screenshot.warnings.map(({ code }) => code)).toEqual(['unstable']);
  });

  it.concurrent.each([
    ['counts', '<p id="n">0</p><script>let i=0;(function f(){n.textContent=++i;requestAnimationFrame(f)})()</script>'],
    [
      'changes its size whenever that has changed',
      `<p id="n" style="width:100px;background:red">0</p><script>onerror = () => true;
       new ResizeObserver(() => { n.style.width = n.offsetWidth + 1 + 'px' }).observe(n)</script>`,
    ],
  ])('stops the clock of a page that never looks the same twice because it %s', async (reason, body) => {
    const url = site.page(`/${reason.replaceAll(' ', '-')}`, html(body));
    const settle = { quiet: 100, network: 100, timeout: 1000 };
    const screenshot = await browser.capture(requestOf(url, { settle }), never);
    expect(screenshot.warnings.map(({ code }) => code)).toEqual(['clock_stopped']);
    const baseline = { sha256: screenshot.sha256, atRest: screenshot.atRest };
    const again = await browser.capture(requestOf(url, { settle, baseline }), never);
    expect([again.sha256, again.stability]).toEqual([screenshot.sha256, 'SETTLED']);
  });
});

describe('the engine', () => {
  it('tells all that decides the pixels, the same for each browser of a machine', async () => {
    const { engine, ...facts } = await browser.capture(requestOf(site.page('/engine', html('x'))), never);
    expect(facts).toMatchObject({ title: 'A page', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(facts.duration).toBeGreaterThan(0);
    const feature = '(unknown|[a-z0-9]+( [a-z0-9_]+)*)';
    expect(engine).toMatch(
      new RegExp(
        `^chromium(-headless-shell)? [\\d.]+; playwright [\\d.]+; fonts ([0-9a-f]{12}|unknown); cpu ${feature}$`,
      ),
    );
    const other = openBrowser(LOCAL);
    try {
      expect(await other.engine()).toBe(engine);
    } finally {
      await other.close();
    }
  });
});

describe('renderHtml', () => {
  it('gives the address and the HTML after the scripts ran', async () => {
    site.page('/data', (_, response) => response.end('<a href="/found">Found</a>'));
    const url = site.page(
      '/app',
      html(
        "<div id=app></div><script>fetch('/data').then((r) => r.text()).then((t) => { app.innerHTML = t; history.replaceState(0, '', '/app/home') })</script>",
      ),
    );
    const rendered = await browser.renderHtml(url, { userAgent: null, timeout: 10_000, access: null });
    expect(rendered.url).toBe(`${site.origin}/app/home`);
    expect(rendered.html).toContain('<a href="/found">Found</a>');
  });

  it('gives no more HTML than a crawl reads', async () => {
    const url = site.page('/long', html("<p id=p hidden></p><script>p.textContent = 'x'.repeat(9e6)</script>"));
    const rendered = await browser.renderHtml(url, { userAgent: null, timeout: 10_000, access: null });
    expect(rendered.html).toHaveLength(8 * 1024 * 1024);
  });
});
