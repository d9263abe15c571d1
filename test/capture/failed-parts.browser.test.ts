import { expect, it } from '@jest/globals';
import type { CaptureRequest } from '../../src/capture/browser/capture-request.ts';
import { never, requestOf } from './requests.ts';
import { siteAndBrowser } from './site-and-browser.ts';
import { html } from './site.ts';

const { site, browser } = siteAndBrowser();

const capture = async (url: string, changes: Partial<CaptureRequest> = {}) =>
  browser.captureBelieved(requestOf(url, changes), never);

const told = (parts: string) => ({
  code: 'parts_not_loaded',
  message: `The page was captured without what did not load: ${parts}`,
});

it('a page without its style sheet, a script and a font is captured with a warning', async () => {
  site.page('/broken.js', (_, response) => response.writeHead(500).end());
  site.page('/reset.css', (request) => request.socket.resetAndDestroy());
  const font = '@font-face { font-family: Own; src: url("/own.woff2?v=secret") }';
  const head = `<link rel="stylesheet" href="/gone.css"><link rel="stylesheet" href="/reset.css"><script src="/broken.js"></script><style>${font} p { font-family: Own }</style>`;
  const url = site.page('/', html('<p>Text</p>', head));
  const { origin } = new URL(url);
  const { warnings, sha256, atRest, way } = await capture(url);
  expect(warnings).toEqual([
    told(
      `${origin}/gone.css (404 Not Found), ${origin}/reset.css, ${origin}/broken.js (500 Internal Server Error), and one more`,
    ),
  ]);
  // Nobody has to be told again of a page that has not changed.
  expect((await capture(url, { baseline: { sha256, atRest, way } })).warnings).toEqual([]);
});

it('a page is not said to lack what the suite blocks, or what it got at last', async () => {
  let asked = 0;
  site.page('/late.js', (_, response) => {
    asked += 1;
    response.writeHead(asked % 2 === 1 ? 503 : 200, { 'content-type': 'text/javascript' }).end();
  });
  site.page('/moved.css', (_, response) => response.writeHead(302, { location: '/steady.css' }).end());
  site.page('/steady.css', (_, response) => response.writeHead(200, { 'content-type': 'text/css' }).end());
  const again = "const again = document.createElement('script'); again.src = this.src; document.head.append(again)";
  const head = `<link rel="stylesheet" href="/moved.css"><script src="/late.js" onerror="${again}"></script><script src="http://ads.invalid/ad.js"></script>`;
  const { warnings } = await capture(site.page('/retries', html('<p>Text</p>', head)), { blockHosts: ['ads.invalid'] });
  expect(asked).toBeGreaterThan(1);
  expect(warnings).toEqual([]);
});
