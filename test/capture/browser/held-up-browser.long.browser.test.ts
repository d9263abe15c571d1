import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openBrowser } from '../../../src/capture/browser/open-browser.ts';
import { LOCAL, never, requestOf } from '../requests.ts';
import { html, openSite, type Site } from '../site.ts';
import { descendantsOf } from './process-tree.ts';

const LONG_MS = 300_000;

const browser = openBrowser(LOCAL);
let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(async () => {
  await browser.close();
  await site.close();
}, LONG_MS);

/** Stops the process that draws the pages of a browser, as a shader without end does. */
function holdUp(): void {
  for (const { pid, command } of descendantsOf(process.pid))
    if (command.includes('--type=gpu-process')) process.kill(pid, 'SIGSTOP');
}

it(
  'a browser that draws nothing anymore is no fault of a page, which is captured in another',
  async () => {
    let views = 0;
    const url = site.page('/', (_, response) => {
      views += 1;
      if (views === 1) holdUp();
      response.writeHead(200, { 'content-type': 'text/html' }).end(html('drawn'));
    });
    expect((await browser.capture(requestOf(url), never)).title).toBe('A page');
    expect(views).toBeGreaterThan(1);
  },
  LONG_MS,
);
