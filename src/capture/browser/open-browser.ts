import { errorMessage } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import type { FilteringProxy } from '../../net/filtering-proxy.ts';
import { parseUrl } from '../../text/parse-url.ts';
import { capturePage } from '../capture-stable-page.ts';
import { renderPage } from '../render-page.ts';
import { LOGIN_ARGS, signIn } from '../site-access/sign-in.ts';
import { CaptureCancelled, CaptureError, PageCrashed, type Browser } from './browser.ts';
import { createBrowserPool, type KeptBrowser, type Lease } from './keep-browser.ts';
import { launchBrowser, type BrowserOptions } from './launch-browser.ts';

const BROWSER_CRASHED = 'The browser crashed twice while capturing this page';
const PAGE_CRASHED = 'The page crashed twice, in two browsers. It may need more memory than is available.';

function assertHttp(url: string): void {
  if (!/^https?:$/.test(parseUrl(url)?.protocol ?? '')) {
    throw new CaptureError(`${url} is not an http(s) URL`);
  }
}

/**
 * Runs the work once more in a new browser, because another page, or the kernel when memory was short, may have
 * killed the first browser or the page.
 */
async function withLease<T>(
  { pool, log }: { pool: KeptBrowser; log: Logger },
  url: string,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  for (let deaths = 0; ;) {
    const lease = await pool.lease();
    try {
      return await work(lease);
    } catch (error) {
      if (error instanceof CaptureCancelled) throw error;
      // The page did not cause this, whatever error its work reported. So this is no CaptureError, and the job runs
      // again.
      if (pool.isClosed()) throw new Error('The browser was closed in the middle of a capture', { cause: error });
      const isPage = error instanceof PageCrashed && lease.launched.browser.isConnected();
      if (lease.launched.browser.isConnected() && !isPage) throw error;
      lease.retire();
      deaths += 1;
      log.warn({ url, deaths, reason: errorMessage(error) }, isPage ? 'page crashed' : 'browser crashed');
      if (deaths > 1) throw new CaptureError(isPage ? PAGE_CRASHED : BROWSER_CRASHED, { code: 'crash', cause: error });
    } finally {
      lease.release();
    }
  }
}

/** The browser of a worker thread. It is launched on first use. */
export function openBrowser({ log, ...options }: BrowserOptions & { log: Logger }): Browser {
  const kept = createBrowserPool(async () => launchBrowser(options), log);
  const logins = new Set<KeptBrowser>();

  /** A browser for one login, and the proxy through which it reaches everything. */
  async function withOwnBrowser<T>(work: (pool: KeptBrowser, proxy: FilteringProxy) => Promise<T>): Promise<T> {
    const proxy = await options.openProxy();
    const pool = createBrowserPool(
      async () => launchBrowser({ ...options, proxyUrl: async () => proxy.url }, LOGIN_ARGS),
      log,
    );
    logins.add(pool);
    try {
      return await work(pool, proxy);
    } finally {
      await pool.close();
      logins.delete(pool);
      await proxy.close();
    }
  }

  return {
    async capture(request, isCancelled) {
      assertHttp(request.url);
      return withLease({ pool: kept, log }, request.url, async (lease) => capturePage(lease, request, isCancelled));
    },
    async renderHtml(url, renderOptions) {
      assertHttp(url);
      return withLease({ pool: kept, log }, url, async (lease) => renderPage(lease, url, renderOptions));
    },
    async signIn(request) {
      assertHttp(request.url);
      return withOwnBrowser(async (pool, proxy) =>
        withLease({ pool, log }, request.url, async (lease) => signIn(lease, proxy, request)),
      );
    },
    engine: async () => kept.engine(),
    async close() {
      await Promise.all([kept, ...logins].map(async (pool) => pool.close()));
    },
  };
}
