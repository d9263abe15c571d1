import { ensureBrowser } from '../capture/browser/ensure-browser.ts';
import { BrowserMissing } from '../capture/browser/find-browser.ts';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { createLogger } from '../logger.ts';
import { checkBrowser } from './check-browser.ts';

/*
 * Entry of the thread that checks the browser at the start, so that what Playwright needs for it is freed afterwards
 * (service.ts).
 */

export type BrowserTask = Pick<Config, 'chromiumPath' | 'browserWsEndpoint' | 'logLevel'>;

/** @returns why there is no browser to use, in a sentence that says what to do; null if there is one. */
export async function prepare({ logLevel, ...options }: BrowserTask): Promise<string | null> {
  const log = createLogger(logLevel);
  try {
    await ensureBrowser(options, log);
    await checkBrowser(options, log);
    return null;
  } catch (error) {
    if (!(error instanceof AppError || error instanceof BrowserMissing)) throw error;
    return error.message;
  }
}
