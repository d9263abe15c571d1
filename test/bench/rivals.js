import { chromium } from 'playwright';
import { findBrowser } from '../../dist/capture/browser/find-browser.js';
import { openBrowser } from '../../dist/capture/browser/open-browser.js';
import { createLogger } from '../../dist/logger.js';
import { captureRequest } from './capture-request.js';

export const VIEWPORT = { width: 1280, height: 800 };

/** The same browser binary twice: driven by our code, and by Playwright alone. */
export async function openRivals() {
  const chromiumPath = process.env.CHROMIUM_PATH || null;
  const executablePath = await findBrowser(chromiumPath);
  if (executablePath === null) throw new Error('There is no browser to measure with: `npm start` once installs one');
  const plain = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  const ours = openBrowser({
    chromiumPath,
    browserWsEndpoint: null,
    proxyUrl: async () => null,
    log: createLogger('warn'),
  });
  return {
    async plainCapture(url) {
      const context = await plain.newContext({ viewport: VIEWPORT });
      try {
        const page = await context.newPage();
        await page.goto(url, { waitUntil: 'load' });
        return await page.screenshot({ fullPage: true });
      } finally {
        await context.close();
      }
    },
    /** A page that is used for one address after the other: no program can do with less. */
    async floorPage() {
      const page = await (await plain.newContext()).newPage();
      return async (url, viewport) => {
        await page.setViewportSize(viewport);
        await page.goto(url, { waitUntil: 'load' });
        return page.screenshot({ fullPage: true });
      };
    },
    capture(url, baseline, changes = {}) {
      const request = captureRequest(url, { baseline, ...changes });
      return ours.capture(request, async () => false);
    },
    async close() {
      await ours.close();
      await plain.close();
    },
  };
}
