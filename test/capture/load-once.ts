import type { Browser, Capture } from '../../src/capture/browser.ts';
import { captureInContext } from '../../src/capture/capture-in-context.ts';
import { collectWarnings } from '../../src/capture/capture-warnings.ts';
import { createBrowserPool } from '../../src/capture/keep-browser.ts';
import { launchBrowser } from '../../src/capture/launch-browser.ts';
import { LOCAL, silent } from './requests.ts';

const ONE_LOAD = { wanted: [], known: [], early: false, last: true, still: false };

type Shown = Pick<
  Capture,
  'png' | 'sha256' | 'width' | 'height' | 'title' | 'elements' | 'cut' | 'warnings' | 'unmatched'
>;

type QuickBrowser = {
  capture(...args: Parameters<Browser['capture']>): Promise<Shown>;
  close(): Promise<void>;
};

/** For tests of what a screenshot shows, not of when it is believed: each page is loaded once. */
export function loadingOnce(): QuickBrowser {
  const pool = createBrowserPool(async () => launchBrowser(LOCAL), silent);
  return {
    async capture(request, isCancelled) {
      const lease = await pool.lease();
      try {
        const warnings = collectWarnings();
        const found = await captureInContext(lease, request, ONE_LOAD, warnings, isCancelled);
        return {
          ...found,
          ...found.shot,
          unmatched: found.unmatched,
          cut: warnings.has('cut'),
          warnings: warnings.all(),
        };
      } finally {
        lease.release();
      }
    },
    close: async () => pool.close(),
  };
}
