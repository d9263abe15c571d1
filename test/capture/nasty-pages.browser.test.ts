import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CaptureCancelled, CaptureError } from '../../src/capture/browser/browser.ts';
import type { CaptureRequest } from '../../src/capture/browser/capture-request.ts';
import { openBrowser } from '../../src/capture/browser/open-browser.ts';
import { siteBase } from '../../src/net/site-base.ts';
import { loadingOnce, type QuickBrowser } from './load-once.ts';
import { LOCAL, never, requestOf } from './requests.ts';
import { html, openSite, type Handler, type Site } from './site.ts';

let site: Site;
let elsewhere: Site;
let browser: QuickBrowser;

beforeAll(async () => {
  site = await openSite();
  elsewhere = await openSite();
  browser = loadingOnce();
});

afterAll(async () => {
  await browser.close();
  await site.close();
  await elsewhere.close();
});

const capture = async (url: string, changes: Partial<CaptureRequest> = {}) =>
  browser.capture(requestOf(url, { timeout: 3000, ...changes }), never);

async function failure(url: string, changes: Partial<CaptureRequest> = {}): Promise<string> {
  const error = await capture(url, changes).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CaptureError);
  return error instanceof Error ? error.message : '';
}

const warningsOf = async (url: string, changes: Partial<CaptureRequest> = {}) =>
  (await capture(url, changes)).warnings.map(({ code }) => code);

async function believedWarningsOf(url: string, changes: Partial<CaptureRequest>): Promise<string[]> {
  const { warnings } = await browser.captureBelieved(requestOf(url, { timeout: 3000, ...changes }), never);
  return warnings.map(({ code }) => code);
}

/** The price of a tall screenshot is its area. */
const NARROW = { viewport: { ...requestOf('').viewport, width: 100 } };

const redirect =
  (status: number, location: string): Handler =>
  (_, response) => {
    response.writeHead(status, { location }).end();
  };

describe('a page that is not there', () => {
  it('is an error that tells the status', async () => {
    expect(await failure(`${site.origin}/missing`)).toBe('The page returned 404 Not Found');
  });

  it.each([400, 401, 403, 410, 429, 500, 503])('is an error for status %d, with or without content', async (status) => {
    const url = site.page(`/status-${status}`, (_, response) => response.writeHead(status).end());
    expect(await failure(url)).toContain(`The page returned ${status} `);
  });

  it('is an error when the host refuses, resets, or has no address', async () => {
    const closed = await openSite();
    await closed.close();
    expect(await failure(`${closed.origin}/`)).toContain('was refused');
    const reset = site.page('/reset', (request) => request.socket.resetAndDestroy());
    expect(await failure(reset)).toMatch(/was reset|closed the connection/);
    expect(await failure('http://no-such-host.invalid/')).toContain('could not be resolved');
    const whole = openBrowser(LOCAL);
    await expect(whole.capture(requestOf('file:///etc/passwd'), never)).rejects.toThrow('not an http(s) URL');
    await whole.close();
  });

  it.each<[string, Record<string, string>]>([
    ['shorter than it says', { 'content-length': '5000' }],
    ['without its last chunk', {}],
  ])('is an error when it breaks off in the middle, %s', async (_case, headers) => {
    const url = site.page('/half', (request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', ...headers });
      response.write('<title>Half</title><p>one', () => request.socket.end());
    });
    expect(await failure(url, { waitStrategy: 'networkidle' })).toContain(
      'closed the connection in the middle of the page',
    );
  });

  it('is an error when it never answers', async () => {
    const url = site.page('/silence', () => undefined);
    expect(await failure(url, { timeout: 500 })).toBe('The page did not respond within 0.5 seconds');
  });

  it('is an error when it is a download or has no content', async () => {
    const download = site.page('/file', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/zip', 'content-disposition': 'attachment' }).end('PK');
    });
    expect(await failure(download)).toContain('download');
    const empty = site.page('/empty', (_, response) => response.writeHead(204).end());
    expect(await failure(empty)).toContain('instead of a page');
  });

  it('is an error when redirects never end', async () => {
    expect(await failure(site.page('/loop', redirect(302, '/loop')))).toContain('redirects too many times');
  });
});

// What waits most of its time waits together.
describe('a page that moves', () => {
  it.concurrent('is followed on its own host, by redirect, script or refresh', async () => {
    site.page('/target', (_, response) => {
      setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Target</title>there'), 300);
    });
    const moves: [string, string | Handler][] = [
      ['/by-redirect', redirect(301, '/target')],
      ['/by-script', html("<script>location.replace('/target')</script>")],
      ['/by-refresh', '<meta http-equiv="refresh" content="0; url=/target">moved'],
      ['/after-load', html("<script>addEventListener('load', () => { location.href = '/target' })</script>")],
      ['/by-form', html("<form action='/target'></form><script>document.forms[0].submit()</script>")],
    ];
    for (const [path, page] of moves) {
      expect([path, (await capture(site.page(path, page))).title]).toEqual([path, 'Target']);
    }
  });

  it.concurrent('is an error when it leaves its host', async () => {
    const target = elsewhere.page('/', html('elsewhere'));
    const moves: [string, string | Handler][] = [
      ['/off-redirect', redirect(302, target)],
      ['/off-script', html(`<script>location.replace('${target}')</script>`)],
      ['/off-refresh', `<meta http-equiv="refresh" content="0; url=${target}">moved`],
    ];
    for (const [path, page] of moves) {
      expect(await failure(site.page(path, page))).toBe(`The page redirected to another host: ${target}`);
    }
    const nowhere = site.page('/nowhere', html("<script>location.replace('about:blank')</script>"));
    expect(await failure(nowhere)).toBe('The page redirected to about:blank');
  });

  it.concurrent('is an error that does not tell what its new address holds', async () => {
    const target = `${elsewhere.page('/jwt', html('elsewhere'))}?jwt=swordfish#access_token=swordfish`;
    const url = site.page('/off-with-token', redirect(302, target));
    expect(await failure(url)).toBe(`The page redirected to another host: ${elsewhere.origin}/jwt`);
    const preview = { base: siteBase(`${site.origin}/pr/`), site: siteBase(elsewhere.origin) };
    site.page('/home', html('Home'));
    const out = site.page('/pr/out', redirect(302, '/home?jwt=swordfish'));
    expect(await failure(out, { preview })).toContain(`redirected to ${site.origin}/home, which is outside`);
    const closed = await openSite();
    await closed.close();
    const nothing = html(`<script>location = '${closed.origin}/?jwt=swordfish'</script>`);
    expect(await failure(site.page('/to-nothing-with-token', nothing))).not.toContain('swordfish');
  });

  it.concurrent('is an error when it moves to an error page, to nothing, or without end', async () => {
    expect(await failure(site.page('/to-404', html("<script>location = '/nowhere'</script>")))).toContain('404');
    const closed = await openSite();
    await closed.close();
    expect(await failure(site.page('/to-nothing', html(`<script>location = '${closed.origin}'</script>`)))).toMatch(
      /did not load|redirected to another host/,
    );
    site.page(
      '/ping',
      html("<script>addEventListener('load', () => { location = '/pong?' + Math.random() })</script>"),
    );
    site.page(
      '/pong',
      html("<script>addEventListener('load', () => { location = '/ping?' + Math.random() })</script>"),
    );
    expect(await failure(`${site.origin}/ping`)).toContain('keeps redirecting');
  });

  it.concurrent('is captured when it only rewrites its address', async () => {
    const url = site.page(
      '/spa',
      html("<script>history.pushState(0, '', '/spa/home'); location.hash = 'x'</script>ok"),
    );
    expect(await warningsOf(url)).toEqual([]);
  });

  it.concurrent.each(['javascript:void(0)', 'data:text/html,blocked', 'mailto:somebody@site.test'])(
    'is captured when it only follows a link to %s',
    async (address) => {
      const link = `<a id='next' href='${address}'>Next</a>`;
      const follow = `${link}<script>setTimeout(() => next.click(), 200)</script>`;
      expect(await warningsOf(site.page(`/follows-${address.length}`, html(follow)))).toEqual([]);
    },
  );
});

describe('a page that misbehaves', () => {
  it.concurrent('is an error when its scripts never pause', async () => {
    // It waits instead of counting, so that other tests have the processor.
    site.page('/silent', () => undefined);
    const wait = "const asking = new XMLHttpRequest(); asking.open('GET', '/silent', false); asking.send()";
    const url = site.page('/hang', html(`<script>addEventListener('load', () => { ${wait} })</script>`));
    expect(await failure(url, { timeout: 1000 })).toMatch(/stopped responding|could not be captured|finish loading/);
  });

  it.concurrent('is an error when it opens dialogs without end', async () => {
    const url = site.page('/alerts', html('<script>for (;;) alert("again")</script>'));
    expect(await failure(url)).toContain('keeps opening dialogs');
  });

  it.concurrent('is captured after its dialogs were dismissed', async () => {
    const url = site.page(
      '/dialogs',
      html('<script>alert(1); confirm(2); prompt(3); onbeforeunload = () => "stay"</script>ok'),
    );
    expect(await warningsOf(url)).toEqual(['dialog', 'dialog', 'dialog']);
  });

  it.concurrent('is captured when it tries to close its own window', async () => {
    const url = site.page('/closes', html("<script>window.close(); open('', '_self').close()</script>still here"));
    expect((await capture(url)).title).toBe('A page');
  });

  it.concurrent('is captured when it opens windows or starts downloads', async () => {
    const opens = site.page('/opens', html("<script>open('/popup')</script>ok"));
    site.page('/popup', html('<script>alert(1)</script>popup'));
    expect(await warningsOf(opens)).toContain('popup');
    site.page('/attached', (_, response) => {
      response.writeHead(200, { 'content-disposition': 'attachment; filename=a.bin' }).end('x');
    });
    const downloads = site.page(
      '/downloads',
      html('<a id="a" href="/attached" download></a><script>a.click()</script>ok'),
    );
    expect(await warningsOf(downloads)).toEqual(['download']);
  });

  it.concurrent('is captured with a warning when it never finishes loading', async () => {
    site.page('/never.png', () => undefined);
    const image = site.page('/never', html('<img src="/never.png" width="10" height="10">ok'));
    const settle = { quiet: 1000, network: 600, timeout: 1000 };
    const stream = site.page('/stream', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write(`<p>begun${' '.repeat(2000)}`);
    });
    const warnings = await Promise.all(
      [image, stream].map(async (url) => believedWarningsOf(url, { timeout: 1000, settle })),
    );
    expect(warnings).toEqual([
      ['never_loaded', 'images_not_loaded', 'not_at_rest'],
      ['never_loaded', 'not_at_rest'],
    ]);
  });

  it.concurrent('is captured with a warning when its network never falls idle', async () => {
    site.page('/poll', (_, response) => response.end('x'));
    const url = site.page('/busy', html("<script>setInterval(() => fetch('/poll?' + Math.random()), 100)</script>ok"));
    const settle = { quiet: 1000, network: 600, timeout: 1000 };
    const warnings = await believedWarningsOf(url, { waitStrategy: 'networkidle', timeout: 1500, settle });
    expect(warnings).toEqual(['never_idle']);
  });

  it.concurrent('is cut where it is taller than a screenshot can be', async () => {
    const url = site.page('/tall', html('<div style="height:70000px"></div>', '<style>body { margin: 0 }</style>'));
    const screenshot = await capture(url, NARROW);
    expect([screenshot.height, screenshot.cut]).toEqual([65_536, true]);
    expect(screenshot.warnings).toEqual([
      {
        code: 'cut',
        message: 'The page is 70,000 px tall; only the first 65,536 px were captured.',
      },
    ]);
  });

  it.concurrent.each([
    ['cut where an element scrolls instead of it', 'height: 100vh; overflow-y: auto', true],
    ['whole where a small element in it scrolls', 'height: 100px; overflow-y: auto', false],
    ['whole where a rule lets that element grow', 'min-height: 100vh', false],
  ])('is %s', async (name, style, cut) => {
    const rows = '<p>Row</p>'.repeat(100);
    const url = site.page(`/${name.replaceAll(' ', '-')}`, html(`<h1>App</h1><main style="${style}">${rows}</main>`));
    const screenshot = await capture(url, NARROW);
    expect([screenshot.cut, screenshot.warnings.map(({ code }) => code)]).toEqual([cut, cut ? ['cut'] : []]);
  });

  it.concurrent('is cut where it grows with each scroll', async () => {
    // Scrolling takes a frame for each screenful: the window is tall, and so is what is added.
    const viewport = { ...NARROW.viewport, height: 4000 };
    const grow =
      "const grow = () => document.body.insertAdjacentHTML('beforeend', '<div style=height:6000px>more</div>')";
    const url = site.page(
      '/endless',
      html(`<script>${grow}; grow(); grow(); addEventListener('scroll', grow)</script>`),
    );
    const screenshot = await capture(url, { viewport });
    expect([screenshot.height, screenshot.cut]).toEqual([65_536, true]);
    expect(screenshot.warnings.map(({ code }) => code)).toContain('cut');
  });

  it.concurrent('is captured with a warning when its height never holds', async () => {
    const url = site.page(
      '/growing',
      html(
        '<div id="d"></div><script>let h=2000;(function f(){d.style.height = (h += 1) + "px"; requestAnimationFrame(f)})()</script>',
      ),
    );
    const settle = { quiet: 1000, network: 600, timeout: 1000 };
    expect(await believedWarningsOf(url, { ...NARROW, settle })).toEqual(['height_not_settled', 'clock_stopped']);
  });

  it.concurrent.each([
    ['with a warning when each scroll adds to it', Infinity, ['height_not_settled']],
    ['whole when it ends after a while', 3, []],
  ])('is captured %s', async (_, most, warnings) => {
    site.page('/more', html('more'));
    const feed = `let parts = 0; const add = () => { list.insertAdjacentHTML('beforeend', '<p style="height: 900px">Part'); parts += 1 };
      add(); new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting && parts < ${most}) fetch('/more').then(add) }).observe(end)`;
    const url = site.page(
      `/feed-${most}`,
      html(`<div id="list"></div><div id="end" style="height: 9px"></div><script>${feed}</script>`),
    );
    expect(await warningsOf(url)).toEqual(warnings);
  });

  it.concurrent('is captured as well when it is an image, text or JSON', async () => {
    const documents: [string, string, string][] = [
      ['/text', 'text/plain', 'just text'],
      ['/json', 'application/json', '{"a":1}'],
      [
        '/svg',
        'image/svg+xml',
        '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><circle r="40"/></svg>',
      ],
      ['/xml', 'text/xml', '<a><b/></a>'],
    ];
    for (const [path, type, content] of documents) {
      const url = site.page(path, (_, response) => response.writeHead(200, { 'content-type': type }).end(content));
      const { warnings, width, height } = await capture(url);
      expect({ path, warnings, width, height }).toEqual({ path, warnings: [], width: 800, height: 600 });
    }
  });

  it.concurrent('is captured with the beginning of a title that never seems to end', async () => {
    const url = site.page('/title', html("<script>document.title = 'x'.repeat(1e6)</script>"));
    expect((await capture(url)).title).toHaveLength(10_000);
  });

  it.concurrent('is captured when it breaks the tools that others would use in it', async () => {
    const url = site.page(
      '/hostile',
      html(
        '<p>ok</p><script>window.setTimeout = window.requestAnimationFrame = () => 0; window.Promise = JSON.stringify = Array.prototype.map = null; Object.defineProperty(document, "fonts", { value: null }); window.IntersectionObserver = null</script>',
      ),
    );
    expect(await warningsOf(url)).toEqual([]);
  });
});

describe('cancelling', () => {
  it('ends a capture before it begins and in the middle of a long wait', async () => {
    const url = site.page('/cancel', html('ok'));
    await expect(browser.capture(requestOf(url), async () => true)).rejects.toBeInstanceOf(CaptureCancelled);
    expect(site.hits('/cancel')).toBe(0);
    let asked = 0;
    const later = async () => {
      asked += 1;
      return asked > 1;
    };
    await expect(browser.capture(requestOf(url, { waitTime: 60_000 }), later)).rejects.toBeInstanceOf(CaptureCancelled);
  });
});
