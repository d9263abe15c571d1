import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CaptureError, type Browser } from '../../src/capture/browser/browser.ts';
import type { SiteAnswers } from '../../src/capture/browser/capture-request.ts';
import { openBrowser } from '../../src/capture/browser/open-browser.ts';
import { decodeElementMap } from '../../src/elements/encode-element-map.ts';
import { startTestSite } from '../pages/test-site.ts';
import { LOCAL, never, requestOf } from './requests.ts';

let browser: Browser;
beforeAll(async () => {
  browser = openBrowser(LOCAL);
});
afterAll(async () => {
  await browser.close();
});

/** Nobody has this name, so whatever is answered there comes from the build. */
const ORIGIN = 'https://docs.example.invalid';

function siteOf(files: Record<string, [type: string, body: string]>): SiteAnswers & { asked: string[] } {
  const asked: string[] = [];
  return {
    origin: ORIGIN,
    asked,
    async answer(method, url) {
      const { pathname } = new URL(url);
      asked.push(`${method} ${url.replace(ORIGIN, '')}`);
      if (pathname === '/docs') return { status: 308, headers: { location: '/docs/' }, body: Buffer.alloc(0) };
      const [type, body] = files[pathname] ?? ['text/plain', 'missing'];
      return { status: pathname in files ? 200 : 404, headers: { 'content-type': type }, body: Buffer.from(body) };
    },
  };
}

it('gives a page its own origin from a build, with cookies and frames, and is asked for nothing of other hosts', async () => {
  const other = 'https://third.example.invalid';
  const page = `<!doctype html><title>Docs</title><link rel="stylesheet" href="${ORIGIN}/app.css">
    <img src="${other}/a.png"><iframe src="/frame"></iframe><p id="out"></p>
    <script type="module">
      document.cookie = 'seen=1';
      const json = await (await fetch('/data.json')).json();
      out.textContent = [json.word, document.cookie, location.origin].join(' ');
    </script>`;
  const site = siteOf({
    '/docs/': ['text/html', page],
    '/app.css': ['text/css', 'body { margin: 0 }'],
    '/frame': ['text/html', '<p>frame</p>'],
    '/data.json': ['application/json', '{"word":"built"}'],
  });
  const captured = await browser.capture(requestOf(`${ORIGIN}/docs`, { site }), never);
  expect(captured.title).toBe('Docs');
  const map = JSON.stringify(await decodeElementMap(captured.elements ?? Buffer.alloc(0)));
  expect(map).toContain(`built seen=1 ${ORIGIN}`);
  expect(new Set(site.asked)).toEqual(
    new Set(['GET /docs', 'GET /docs/', 'GET /app.css', 'GET /frame', 'GET /data.json']),
  );
});

it('lets a build use the assets of hosts on a private network, as its site does', async () => {
  const assets = await startTestSite({
    '/app.js': { headers: { 'content-type': 'text/javascript' }, body: "document.title = 'Styled'" },
  });
  const page = `<!doctype html><title>Docs</title><script src="${assets.origin}/app.js"></script>`;
  const site = siteOf({ '/': ['text/html', page] });
  const captured = await browser.capture(requestOf(`${ORIGIN}/`, { site }), never);
  await assets.close();
  expect(captured.title).toBe('Styled');
});

it('says when the build has no such page, and fails when the build is gone', async () => {
  const missing = browser.capture(requestOf(`${ORIGIN}/gone`, { site: siteOf({}) }), never);
  await expect(missing).rejects.toThrow(CaptureError);
  const site: SiteAnswers = {
    origin: ORIGIN,
    answer: async () => Promise.reject(new Error('A file of the build is gone')),
  };
  await expect(browser.capture(requestOf(`${ORIGIN}/`, { site }), never)).rejects.toThrow(
    'A file of the build is gone',
  );
});
