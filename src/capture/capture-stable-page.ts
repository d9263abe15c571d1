import type { Capture, CaptureRequest } from './browser.ts';
import { collectWarnings } from './capture-warnings.ts';
import type { Warnings } from './capture-warnings.ts';
import { openGuard } from './guard.ts';
import type { Lease } from './keep-browser.ts';
import { loadPage } from './load-page.ts';
import { withPage } from './open-page.ts';
import type { OpenPage } from './open-page.ts';
import { WATCH_EXPRESSION } from './page-script.ts';
import { restoreFonts } from './restore-fonts.ts';
import { stabilizePage } from './stabilize-page.ts';
import { takeElementMap } from './take-element-map.ts';
import { takeScreenshot } from './take-screenshot.ts';
import type { Screenshot } from './take-screenshot.ts';

const SCREENSHOT_LIMIT = 5;

/** Extra time for one context on top of the limits of the steps, ms. */
const SLACK_MS = 15_000;

type Shot = Screenshot & { title: string };

/** Why no more screenshots were taken in a context. */
type Settled = { shot: Shot; by: 'wanted' | 'repetition' | 'nothing'; taken: number };

async function takeShot(open: OpenPage, request: CaptureRequest, first: boolean): Promise<Shot> {
  const prepared = await stabilizePage(open, request, first);
  return { ...(await takeScreenshot(open, request, prepared)), title: prepared.title };
}

/** Takes screenshots until one has a wanted hash, or two in a row are identical, or the limit is reached. */
async function takeSettledShot(open: OpenPage, request: CaptureRequest, wanted: string[]): Promise<Settled> {
  let last = await takeShot(open, request, true);
  if (wanted.includes(last.sha256)) return { shot: last, by: 'wanted', taken: 1 };
  for (let taken = 1; taken < SCREENSHOT_LIMIT; taken += 1) {
    await open.guard.step();
    await restoreFonts(open);
    const next = await takeShot(open, request, false);
    if (wanted.includes(next.sha256)) return { shot: next, by: 'wanted', taken: taken + 1 };
    if (next.sha256 === last.sha256) return { shot: next, by: 'repetition', taken: taken + 1 };
    last = next;
  }
  return { shot: last, by: 'nothing', taken: SCREENSHOT_LIMIT };
}

/** Loads the page in a fresh context and takes screenshots until they settle. The last context reads the elements too. */
async function captureOnce(
  lease: Lease,
  request: CaptureRequest,
  wanted: string[],
  warnings: Warnings,
  isCancelled: () => Promise<boolean>,
  isLast: boolean,
): Promise<Settled & Pick<Capture, 'elements'>> {
  const guard = openGuard(3 * request.timeout + request.waitTime + SLACK_MS, isCancelled);
  try {
    await guard.step();
    return await withPage(lease, request, guard, warnings, async (open) => {
      const { cdp } = open;
      await guard.race(cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: WATCH_EXPRESSION }));
      await loadPage(open, request);
      // A new mouse starts in the corner of the page. Move it off the page, so that nothing there is hovered.
      cdp.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: -1, y: -1 }).catch(() => undefined);
      await guard.step();
      const settled = await takeSettledShot(open, request, wanted);
      const isNew = isLast && settled.shot.sha256 !== request.baseline?.sha256;
      return { ...settled, elements: isNew ? await takeElementMap(open, request, settled.shot) : null };
    });
  } finally {
    guard.end();
  }
}

/**
 * The final screenshot of a page (issue, "Capture"). One with the baseline's bytes is accepted at once. One that
 * differs is accepted only if a second context, or at least a second screenshot, shows the same.
 * @throws CaptureError, CaptureCancelled
 */
export async function capturePage(
  lease: Lease,
  request: CaptureRequest,
  isCancelled: () => Promise<boolean>,
): Promise<Capture> {
  const started = performance.now();
  const warnings = collectWarnings();
  const baseline = request.baseline === null ? [] : [request.baseline.sha256];
  let settled = await captureOnce(lease, request, baseline, warnings, isCancelled, request.baseline === null);
  let screenshots = settled.taken;
  if (request.baseline !== null && settled.by !== 'wanted') {
    const wanted = settled.by === 'repetition' ? [...baseline, settled.shot.sha256] : baseline;
    settled = await captureOnce(lease, request, wanted, warnings, isCancelled, true);
    screenshots += settled.taken;
    if (settled.by === 'repetition') {
      warnings.add('unstable', 'The page looks different each time it is loaded');
    }
  }
  if (settled.by === 'nothing') {
    warnings.add('unstable', `The page never looked the same twice in a row in ${SCREENSHOT_LIMIT} screenshots`);
  }
  const { shot } = settled;
  return {
    png: shot.png,
    sha256: shot.sha256,
    width: shot.width,
    height: shot.height,
    title: shot.title === '' ? null : shot.title,
    warnings: warnings.all(),
    engine: lease.launched.engine,
    duration: Math.round(performance.now() - started),
    stability: warnings.has('unstable') ? 'UNSTABLE' : screenshots === 1 ? 'AT_ONCE' : 'SETTLED',
    screenshots,
    cut: warnings.has('cut'),
    atRest: true,
    early: null,
    elements: settled.elements,
    unmatched: [],
  };
}
