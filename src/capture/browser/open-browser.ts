import type { Logger } from '../../logger.ts';
import { errorMessage } from '../../errors.ts';
import { CaptureCancelled, CaptureError, PageCrashed } from './browser.ts';
import type { Browser } from './browser.ts';
import { capturePage } from '../capture-stable-page.ts';
import { createBrowserPool } from './keep-browser.ts';
import type { Lease } from './keep-browser.ts';
import { launchBrowser } from './launch-browser.ts';
import type { BrowserOptions } from './launch-browser.ts';
import { renderPage } from '../render-page.ts';
import { signIn } from '../site-access/sign-in.ts';

const BROWSER_CRASHED = 'The browser crashed twice while capturing this page';
const PAGE_CRASHED = 'The page crashed twice, in two browsers. It may need more memory than is available.';

function assertHttp(url: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new CaptureError(`${url} is not an http(s) URL`);
  }
}

/** The browser of a worker thread. It is launched at the first capture. */
export function openBrowser({ log, ...options }: BrowserOptions & { log: Logger }): Browser {
  const kept = createBrowserPool(async () => launchBrowser(options), log);

  /**
   * Runs the work again, once, in a new browser: another page, or the kernel when memory was short, may have killed the
   * first one or the page in it.
   */
  async function withLease<T>(url: string, work: (lease: Lease) => Promise<T>): Promise<T> {
    for (let deaths = 0; ;) {
      const lease = await kept.lease();
      try {
        return await work(lease);
      } catch (error) {
        if (error instanceof CaptureCancelled) throw error;
        // The page did not cause this, whatever error its work reported. So this is no CaptureError, and the job runs
        // again.
        if (kept.isClosed()) throw new Error('The browser was closed in the middle of a capture', { cause: error });
        const isPage = error instanceof PageCrashed && lease.launched.browser.isConnected();
        if (lease.launched.browser.isConnected() && !isPage) throw error;
        lease.retire();
        deaths += 1;
        log.warn({ url, deaths, reason: errorMessage(error) }, isPage ? 'page crashed' : 'browser crashed');
        if (deaths > 1) throw new CaptureError(isPage ? PAGE_CRASHED : BROWSER_CRASHED, { cause: error });
      } finally {
        lease.release();
      }
    }
  }

  return {
    async capture(request, isCancelled) {
      assertHttp(request.url);
      return withLease(request.url, async (lease) => capturePage(lease, request, isCancelled));
    },
    async renderHtml(url, renderOptions) {
      assertHttp(url);
      return withLease(url, async (lease) => renderPage(lease, url, renderOptions));
    },
    async signIn(request) {
      assertHttp(request.url);
      return withLease(request.url, async (lease) => signIn(lease, request));
    },
    engine: async () => kept.engine(),
    close: async () => kept.close(),
  };
}
