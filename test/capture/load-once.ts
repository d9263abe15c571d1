import type { Browser, Capture } from '../../src/capture/browser/browser.ts';
import { createBrowserPool, type Lease } from '../../src/capture/browser/keep-browser.ts';
import { launchBrowser } from '../../src/capture/browser/launch-browser.ts';
import { captureInContext } from '../../src/capture/capture-in-context.ts';
import { capturePage } from '../../src/capture/capture-stable-page.ts';
import { collectWarnings } from '../../src/capture/capture-warnings.ts';
import type { HeardNode } from '../../src/elements/heard/heard-tree.ts';
import { LOCAL, silent } from './requests.ts';

const ONE_LOAD = { wanted: [], known: [], early: false, last: true, still: false, proves: false, once: false };

type Shown = Pick<
  Capture,
  'png' | 'sha256' | 'width' | 'height' | 'title' | 'elements' | 'cut' | 'warnings' | 'unmatched'
> & { heard: HeardNode | null };

export type QuickBrowser = {
  capture(...args: Parameters<Browser['capture']>): Promise<Shown>;
  /** As the service does it: the page is loaded until its screenshot is believed. */
  captureBelieved: Browser['capture'];
  close(): Promise<void>;
};

/** For tests of what a screenshot shows, not of when it is believed: each page is loaded once. */
export function loadingOnce(): QuickBrowser {
  const pool = createBrowserPool(async () => launchBrowser(LOCAL), silent);
  async function leased<T>(use: (lease: Lease) => Promise<T>): Promise<T> {
    const lease = await pool.lease();
    try {
      return await use(lease);
    } finally {
      lease.release();
    }
  }
  return {
    capture: async (request, isCancelled) =>
      leased(async (lease) => {
        const warnings = collectWarnings();
        const found = await captureInContext(lease, request, ONE_LOAD, warnings, isCancelled);
        return {
          ...found,
          ...found.shot,
          unmatched: found.unmatched,
          cut: warnings.has('cut'),
          warnings: warnings.all(),
        };
      }),
    captureBelieved: async (request, isCancelled) => leased(async (lease) => capturePage(lease, request, isCancelled)),
    close: async () => pool.close(),
  };
}
