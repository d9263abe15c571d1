import { z } from 'zod';
import { CaptureError, type Browser } from './browser/browser.ts';
import type { Lease } from './browser/keep-browser.ts';
import { isTimeout } from './browser/load-playwright.ts';
import { collectWarnings } from './capture-warnings.ts';
import { evaluateInPage } from './evaluate-in-page.ts';
import { followPage } from './follow-page.ts';
import { openGuard } from './guard.ts';
import { loadPage } from './load-page.ts';
import type { OpenPage } from './open-page.ts';
import { plainPage } from './plain-page.ts';
import { withFreshPage } from './series.ts';

/** How long after `load` a page's scripts may take to fetch its content, ms. */
const IDLE_MS = 5000;
const SLACK_MS = 15_000;

const Rendered = z.object({ url: z.string(), html: z.string() });
/** In characters. A crawl reads as much of a page that it fetches itself. */
const MAX_HTML = 8 * 1024 * 1024;
/** Open shadow roots follow the document, because links may be in them. */
const RENDERED = `(() => {
  const parts = [document.documentElement.outerHTML];
  const addRoots = (root) => {
    for (const { shadowRoot } of root.querySelectorAll('*')) {
      if (shadowRoot === null) continue;
      parts.push(shadowRoot.innerHTML);
      addRoots(shadowRoot);
    }
  };
  addRoots(document);
  return { url: location.href, html: parts.join('').slice(0, ${MAX_HTML}) };
})()`;

async function awaitIdle({ page, guard }: OpenPage, timeout: number): Promise<void> {
  const idle = page.waitForLoadState('networkidle', { timeout: Math.min(timeout, IDLE_MS) });
  await guard.race(idle).catch((error: unknown) => {
    if (!isTimeout(error)) throw error;
  });
}

type RenderOptions = Parameters<Browser['renderHtml']>[1];

/**
 * The final URL of the page and its HTML after its scripts have run. Of another host only the URL.
 * @throws CaptureError
 */
export async function renderPage(
  lease: Lease,
  url: string,
  { userAgent, timeout, access }: RenderOptions,
): Promise<{ url: string; html: string }> {
  const guard = openGuard(3 * timeout + SLACK_MS, async () => false);
  try {
    const options = { ...plainPage(url, access, userAgent), scripts: [], before: null };
    return await withFreshPage(lease, options, { guard, warnings: collectWarnings() }, async (open) => {
      const load = { url, waitStrategy: 'load', waitTime: 0, timeout } as const;
      await loadPage(open, load);
      return followPage(open, load, async () => {
        await awaitIdle(open, timeout);
        return Rendered.parse(await evaluateInPage(open, RENDERED, timeout));
      });
    });
  } catch (error) {
    if (error instanceof CaptureError && error.address !== null) return { url: error.address, html: '' };
    throw error;
  } finally {
    guard.end();
  }
}
