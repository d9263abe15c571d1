import { errorMessage } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import type { FilteringProxy } from '../../net/filtering-proxy.ts';
import { parseUrl } from '../../text/parse-url.ts';
import { capturePage } from '../capture-stable-page.ts';
import { renderPage } from '../render-page.ts';
import { LOGIN_ARGS, signIn } from '../site-access/sign-in.ts';
import { BrowserFailed, CaptureCancelled, CaptureError, PageCrashed, type Browser } from './browser.ts';
import { createBrowserPool, type KeptBrowser, type Lease } from './keep-browser.ts';
import { launchBrowser, type BrowserOptions, type LaunchedBrowser } from './launch-browser.ts';

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
      if (error instanceof BrowserFailed) lease.retire();
      // The page did not cause this, whatever error its work reported. So this is no CaptureError, and the job runs
      // again.
      if (pool.isClosed()) throw new Error('The browser was closed in the middle of a capture', { cause: error });
      const isPage = error instanceof PageCrashed && lease.launched.browser.isConnected();
      if (lease.launched.browser.isConnected() && !isPage) throw error;
      lease.retire();
      deaths += 1;
      log.warn({ url, deaths, reason: errorMessage(error) }, isPage ? 'page crashed' : 'browser crashed');
      if (deaths < 2) continue;
      const told = { code: 'crash', cause: error } as const;
      throw isPage ? new CaptureError(PAGE_CRASHED, told) : new BrowserFailed(BROWSER_CRASHED, told);
    } finally {
      lease.release();
    }
  }
}

/** Browsers that are used once, by one piece of work. */
function createOwnPools(log: Logger) {
  const pools = new Set<KeptBrowser>();
  return {
    async use<T>(launch: () => Promise<LaunchedBrowser>, work: (pool: KeptBrowser) => Promise<T>): Promise<T> {
      const pool = createBrowserPool(launch, log);
      pools.add(pool);
      try {
        return await work(pool);
      } finally {
        await pool.close();
        pools.delete(pool);
      }
    },
    async close() {
      await Promise.all(Array.from(pools, async (pool) => pool.close()));
    },
  };
}

/** The browser of a worker thread. It is launched on first use. */
export function openBrowser({ log, ...options }: BrowserOptions & { log: Logger }): Browser {
  const launch = async () => launchBrowser(options);
  const kept = createBrowserPool(launch, log);
  const own = createOwnPools(log);
  let lastAlone: Promise<unknown> = Promise.resolve();

  /** A browser for one login, and the proxy through which it reaches everything. */
  async function withLoginBrowser<T>(work: (pool: KeptBrowser, proxy: FilteringProxy) => Promise<T>): Promise<T> {
    const proxy = await options.openProxy();
    const launchForLogin = async () => launchBrowser({ ...options, proxyUrl: async () => proxy.url }, LOGIN_ARGS);
    try {
      return await own.use(launchForLogin, async (pool) => work(pool, proxy));
    } finally {
      await proxy.close();
    }
  }

  /** Work on a page beside other pages. If its browsers fail, it is tried alone: only what fails then is at fault. */
  async function withPage<T>(url: string, work: (lease: Lease) => Promise<T>): Promise<T> {
    assertHttp(url);
    try {
      return await withLease({ pool: kept, log }, url, work);
    } catch (error) {
      if (!(error instanceof BrowserFailed)) throw error;
    }
    const alone = lastAlone.then(async () => {
      if (kept.isClosed()) throw new Error('The browser is closed');
      return own.use(launch, async (pool) => withLease({ pool, log }, url, work));
    });
    lastAlone = alone.catch(() => undefined);
    return alone;
  }

  return {
    async capture(request, isCancelled) {
      return withPage(request.url, async (lease) => capturePage(lease, request, isCancelled));
    },
    async renderHtml(url, renderOptions) {
      return withPage(url, async (lease) => renderPage(lease, url, renderOptions));
    },
    async signIn(request) {
      assertHttp(request.url);
      return withLoginBrowser(async (pool, proxy) =>
        withLease({ pool, log }, request.url, async (lease) => signIn(lease, proxy, request)),
      );
    },
    engine: async () => kept.engine(),
    async close() {
      await Promise.all([kept, own].map(async (pool) => pool.close()));
    },
  };
}
