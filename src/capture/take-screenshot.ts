import { createHash } from 'node:crypto';
import { readPngHeader } from '../png-header.ts';
import type { CaptureRequest } from './browser.ts';
import { coverMasks } from './cover-masks.ts';
import type { OpenPage } from './open-page.ts';
import { MAX_SCREENSHOT } from './screenshot-size.ts';

export type Screenshot = {
  png: Buffer;
  sha256: string;
  width: number;
  height: number;
  /** Selectors of the rules that match nothing. */
  unmatched: string[];
};

const SCREENSHOT_MS = 30_000;

/** The area to capture. A full page is cut where it is larger than the maximum size of a screenshot. */
function chooseArea(request: CaptureRequest, page: { width: number; height: number }, { warnings }: OpenPage) {
  if (!request.fullPage) return request.viewport;
  if (page.height > MAX_SCREENSHOT.height) {
    warnings.add('cut', `The page is ${page.height} px tall. The screenshot was cut at ${MAX_SCREENSHOT.height} px.`);
  }
  if (page.width > MAX_SCREENSHOT.width) {
    warnings.add('cut', `The page is ${page.width} px wide. The screenshot was cut at ${MAX_SCREENSHOT.width} px.`);
  }
  return { width: Math.min(page.width, MAX_SCREENSHOT.width), height: Math.min(page.height, MAX_SCREENSHOT.height) };
}

/**
 * One PNG of the page, with the same pixels as Playwright's `page.screenshot`. Fast compression makes it 1.4 times as
 * large in half the time. Capturing beyond the viewport draws text differently, so, like in Playwright, it is used only
 * if the page does not fit into the viewport.
 */
export async function takeScreenshot(
  open: OpenPage,
  request: CaptureRequest,
  page: { width: number; height: number },
): Promise<Screenshot> {
  const unmatched = await coverMasks(open, request.rules);
  const { width, height } = chooseArea(request, page, open);
  const fits = width <= request.viewport.width && height <= request.viewport.height;
  const taking = open.cdp.send('Page.captureScreenshot', {
    format: 'png',
    optimizeForSpeed: true,
    captureBeyondViewport: !fits,
    clip: { x: 0, y: 0, width, height, scale: 1 },
  });
  const bound = Math.max(request.timeout, SCREENSHOT_MS);
  const { data } = await open.guard.within(taking, bound, 'The screenshot of the page could not be taken in time');
  const png = Buffer.from(data, 'base64');
  const size = readPngHeader(png);
  if (size === null) throw new Error('The browser returned a screenshot that is not a PNG');
  return { png, sha256: createHash('sha256').update(png).digest('hex'), ...size, unmatched };
}
