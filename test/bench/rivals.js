import { chromium } from 'playwright';
import { findBrowser } from '../../dist/capture/find-browser.js';
import { openBrowser } from '../../dist/capture/open-browser.js';
import { createLogger } from '../../dist/logger.js';

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
    capture(url, baseline) {
      const request = {
        url,
        viewport: { ...VIEWPORT, deviceScaleFactor: 1, colorScheme: null, touch: false, userAgent: null },
        waitStrategy: 'load',
        waitTime: 0,
        fullPage: true,
        customCss: '',
        timeout: 30_000,
        settle: { quiet: 1000, network: 600, timeout: 5000 },
        emulation: { colorScheme: 'light', locale: 'en-US', timezone: 'UTC', reducedMotion: true },
        clock: null,
        seedRandom: false,
        blockHosts: [],
        rules: { hide: [], remove: [], mask: [], ignore: [], waitFor: [], actions: [], css: '' },
        baseline,
      };
      return ours.capture(request, async () => false);
    },
    async close() {
      await ours.close();
      await plain.close();
    },
  };
}
