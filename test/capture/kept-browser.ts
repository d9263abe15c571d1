import type { CaptureRequest } from '../../src/capture/browser/capture-request.ts';
import { createBrowserPool } from '../../src/capture/browser/keep-browser.ts';
import { launchBrowser, type LaunchedBrowser } from '../../src/capture/browser/launch-browser.ts';
import { capturePage } from '../../src/capture/capture-stable-page.ts';
import { LOCAL, never, requestOf, silent } from './requests.ts';
import { openSite } from './site.ts';

/** A baseline that looks different from every page. */
export const OTHER = { sha256: '0'.repeat(64), atRest: true };

/** A site, and a browser whose contexts are counted. `claims` replaces facts about the browser. */
export async function openKeptBrowser(claims: Partial<LaunchedBrowser> = {}) {
  const site = await openSite();
  let [scopes, pages, contexts] = [0, 0, 0];
  const pool = createBrowserPool(async () => {
    const launched = await launchBrowser(LOCAL);
    const newContext = launched.browser.newContext.bind(launched.browser);
    launched.browser.newContext = async (options) => {
      contexts += 1;
      return newContext(options);
    };
    return { ...launched, ...claims };
  }, silent);
  return {
    site,
    pool,
    newScope: () => `run ${(scopes += 1)}`,
    newPage: (page: string) => site.page(`/page/${(pages += 1)}`, page),
    /** @returns the capture, and how many contexts were opened for it. */
    capture: async (url: string, changes: Partial<CaptureRequest>) => {
      const lease = await pool.lease();
      const before = contexts;
      try {
        const taken = await capturePage(lease, requestOf(url, changes), never);
        return { ...taken, opened: contexts - before };
      } finally {
        lease.release();
      }
    },
    close: async () => {
      await pool.close();
      await site.close();
    },
  };
}

export type KeptTestBrowser = Awaited<ReturnType<typeof openKeptBrowser>>;
