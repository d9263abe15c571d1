import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from '../../src/capture/browser/browser.ts';
import { openBrowser } from '../../src/capture/browser/open-browser.ts';
import { LOCAL, never, requestOf } from './requests.ts';
import { html, openSite, type Site } from './site.ts';

const { loadavg } = os;

function setLoad(read: typeof os.loadavg): void {
  os.loadavg = read;
  syncBuiltinESMExports();
}

let site: Site;
let browser: Browser;

beforeAll(async () => {
  // Four programs want to run for each processor.
  setLoad(() => Array<number>(3).fill(4 * os.availableParallelism()));
  site = await openSite();
  site.page('/hang', () => undefined);
  site.page(
    '/inner',
    html(
      '<style>@keyframes k { to { left: 90px } } p { position: relative; animation: k 3s infinite }</style><p>Inner</p>',
    ),
  );
  browser = openBrowser(LOCAL);
});

afterAll(async () => {
  setLoad(loadavg);
  await browser.close();
  await site.close();
});

it('captures a page with a frame that never answers on a busy machine', async () => {
  const url = site.page('/frame-hangs', html('<p>Page</p><iframe src="/hang"></iframe>'));
  const settle = { quiet: 300, network: 200, timeout: 2000 };
  const { stability, warnings } = await browser.capture(requestOf(url, { timeout: 6000, settle }), never);
  // The request of the frame counts until it is 10 s old. Until then, the page is not at rest either.
  expect({ stability, codes: warnings.map(({ code }) => code) }).toMatchObject({
    stability: 'AT_ONCE',
    codes: expect.arrayContaining(['never_loaded']),
  });
});

it('shows frames that load when they come into view, although the page never loads', async () => {
  const page = (frame: string) =>
    html(
      `<img src="/hang" width="9" height="9" alt=""><div style="height: 4000px"></div><iframe ${frame} src="/inner"></iframe>`,
    );
  const settle = { quiet: 300, network: 200, timeout: 2000 };
  const capture = async (path: string, frame: string) =>
    browser.capture(requestOf(site.page(path, page(frame)), { timeout: 4000, settle }), never);
  const [lazy, eager] = [await capture('/lazy', 'loading="lazy"'), await capture('/eager', '')];
  expect({ sha256: lazy.sha256, stability: lazy.stability }).toEqual({ sha256: eager.sha256, stability: 'AT_ONCE' });
});
