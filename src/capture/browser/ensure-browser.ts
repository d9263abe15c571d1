import type { Logger } from '../../logger.ts';
import { BrowserMissing, findBrowser } from './find-browser.ts';
import { canUseApt, installWithApt, installWithPlaywright } from './install-browser.ts';

const WHAT_TO_DO =
  'No browser was found and none could be installed. Install the package chromium-headless-shell or chromium with a font ' +
  'package, or run "npx playwright install --with-deps --only-shell chromium", or set CHROMIUM_PATH or BROWSER_WS_ENDPOINT.';

/**
 * Makes sure that there is a browser to launch, and installs one if possible. A remote browser is not
 * contacted, because it may start later than this service.
 * @throws BrowserMissing with one sentence that says what to do.
 */
export async function ensureBrowser(
  options: { chromiumPath: string | null; browserWsEndpoint: string | null },
  log: Logger,
): Promise<void> {
  if (options.browserWsEndpoint !== null) return;
  if ((await findBrowser(options.chromiumPath)) !== null) return;

  log.info('no browser found, trying the Playwright installer');
  if ((await installWithPlaywright(log)) && (await findBrowser(null)) !== null) return;

  if (await canUseApt()) {
    log.info('trying the distribution package of Chromium');
    if ((await installWithApt(log)) && (await findBrowser(null)) !== null) return;
  }
  throw new BrowserMissing(WHAT_TO_DO);
}
