import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from '../../../src/capture/browser/browser.ts';
import { openBrowser } from '../../../src/capture/browser/open-browser.ts';
import { LOCAL, never, requestOf } from '../requests.ts';
import { html, openSite, type Site } from '../site.ts';

let site: Site;
let browser: Browser;

beforeAll(async () => {
  site = await openSite();
  browser = openBrowser(LOCAL);
});

afterAll(async () => {
  await browser.close();
  await site.close();
});

describe('settling', () => {
  it.concurrent('says of a page that never rests why it does not', async () => {
    const url = site.page('/busy', html('<p aria-busy="true">Wait</p><script></script>'));
    const settle = { quiet: 1000, network: 600, timeout: 1500 };
    const { warnings, atRest } = await browser.capture(requestOf(url, { settle }), never);
    const message = 'The page was not stable 1.5 seconds after it loaded: part of it is marked as busy';
    expect({ warnings, atRest }).toEqual({ warnings: [{ code: 'not_at_rest', message }], atRest: false });
  });

  it.concurrent('does not call a page unstable that moves without showing it', async () => {
    const url = site.page(
      '/hidden',
      html('<p id="p">Same</p><script>setInterval(() => { p.title = Date.now() }, 50)</script>'),
    );
    const settle = { quiet: 1000, network: 0, timeout: 300 };
    const { warnings, stability } = await browser.capture(requestOf(url, { settle }), never);
    expect({ codes: warnings.map(({ code }) => code), stability }).toEqual({ codes: [], stability: 'AT_ONCE' });
  });

  it.concurrent(
    'does not call a page unstable that had no time to come to rest, when it looks the same each time',
    async () => {
      const url = site.page('/hasty', html('<p aria-busy="true">Same</p><script></script>'));
      const settle = { quiet: 1500, network: 0, timeout: 100 };
      const { warnings, stability } = await browser.capture(requestOf(url, { settle }), never);
      expect({ codes: warnings.map(({ code }) => code), stability }).toEqual({
        codes: ['not_at_rest'],
        stability: 'AT_ONCE',
      });
    },
  );

  /** Without a script, a second load would be spared. */
  const MAY_CHANGE = '<script>0</script>';

  it.concurrent.each([1, 2])(
    'believes the two of three loads that look the same, when load %i looks different, and says so',
    async (odd) => {
      let views = 0;
      const url = site.page(`/odd-${odd}`, (_, response) => {
        views += 1;
        response.setHeader('content-type', 'text/html');
        response.end(html(`<p>${views === odd ? 'A hiccup' : 'The usual'}</p>${MAY_CHANGE}`));
      });
      const usual = await browser.capture(requestOf(site.page(`/usual-${odd}`, html('<p>The usual</p>'))), never);
      for (const baseline of [null, { sha256: '0'.repeat(64), atRest: true }]) {
        views = 0;
        const { sha256, stability, warnings, elements } = await browser.capture(requestOf(url, { baseline }), never);
        expect({ sha256, stability }).toEqual({ sha256: usual.sha256, stability: 'UNSTABLE' });
        expect(warnings).toEqual([
          { code: 'unstable', message: 'The page has two layouts: it looked different when it was loaded again' },
        ]);
        expect(elements).not.toBeNull();
        expect(views).toBe(3);
      }
    },
  );

  it.concurrent('warns of a page that looks different even when its clock is stopped', async () => {
    let counted = 0;
    site.page('/count', (_, response) => {
      counted += 1;
      response.end(String(counted));
    });
    const url = site.page(
      '/uncertain',
      html(
        "<p id='n'>0</p><script>(async function f(){n.textContent=await (await fetch('/count')).text();f()})()</script>",
      ),
    );
    const settle = { quiet: 1000, network: 600, timeout: 1000 };
    const screenshot = await browser.capture(requestOf(url, { settle }), never);
    expect(screenshot.warnings.map(({ code }) => code)).toContain('unstable');
    expect([screenshot.stability, screenshot.atRest]).toEqual(['UNSTABLE', false]);
  });
});
