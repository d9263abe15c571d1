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
import { stabilisePage } from './stabilise-page.ts';
import { takePicture } from './take-picture.ts';
import type { Picture } from './take-picture.ts';

const MAX_PICTURES = 5;

/** For one context, besides what the steps allow themselves, ms. */
const SLACK_MS = 15_000;

type Shot = Picture & { title: string };

/** How a context's picture came to rest. */
type Settled = { shot: Shot; by: 'wanted' | 'repetition' | 'nothing' };

async function takeShot(open: OpenPage, request: CaptureRequest, first: boolean): Promise<Shot> {
  const prepared = await stabilisePage(open, request, first);
  return { ...(await takePicture(open, request, prepared)), title: prepared.title };
}

/** Pictures until one is wanted by its hash, or two in a row are the same, or the bound is reached. */
async function takeSettledShot(open: OpenPage, request: CaptureRequest, wanted: string[]): Promise<Settled> {
  let last = await takeShot(open, request, true);
  if (wanted.includes(last.sha256)) return { shot: last, by: 'wanted' };
  for (let pictures = 1; pictures < MAX_PICTURES; pictures += 1) {
    await open.guard.step();
    await restoreFonts(open);
    const next = await takeShot(open, request, false);
    if (wanted.includes(next.sha256)) return { shot: next, by: 'wanted' };
    if (next.sha256 === last.sha256) return { shot: next, by: 'repetition' };
    last = next;
  }
  return { shot: last, by: 'nothing' };
}

/** Loads the page in a fresh context of its own and takes its picture. */
async function captureOnce(
  lease: Lease,
  request: CaptureRequest,
  wanted: string[],
  warnings: Warnings,
  isCancelled: () => Promise<boolean>,
): Promise<Settled> {
  const guard = openGuard(3 * request.timeout + request.waitTime + SLACK_MS, isCancelled);
  try {
    await guard.step();
    return await withPage(lease, request, guard, warnings, async (open) => {
      const { cdp } = open;
      await guard.race(cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: WATCH_EXPRESSION }));
      await loadPage(open, request);
      // Off the page: nothing is hovered, whatever lies at the corner where a fresh mouse would be.
      cdp.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: -1, y: -1 }).catch(() => undefined);
      await guard.step();
      return takeSettledShot(open, request, wanted);
    });
  } finally {
    guard.end();
  }
}

/**
 * The settled picture of a page (issue, "Capture"): the baseline's bytes settle it at once; a picture that differs
 * is believed only when a second context, or at least a second picture, shows the same.
 * @throws CaptureError, CaptureCancelled
 */
export async function capturePage(
  lease: Lease,
  request: CaptureRequest,
  isCancelled: () => Promise<boolean>,
): Promise<Capture> {
  const started = performance.now();
  const warnings = collectWarnings();
  const { baselineSha256 } = request;
  const baseline = baselineSha256 === null ? [] : [baselineSha256];
  let settled = await captureOnce(lease, request, baseline, warnings, isCancelled);
  if (baselineSha256 !== null && settled.by !== 'wanted') {
    const wanted = settled.by === 'repetition' ? [...baseline, settled.shot.sha256] : baseline;
    settled = await captureOnce(lease, request, wanted, warnings, isCancelled);
    if (settled.by === 'repetition') {
      warnings.add('unstable', 'The page looks different each time it is loaded');
    }
  }
  if (settled.by === 'nothing') {
    warnings.add('unstable', `The page never looked the same twice in a row in ${MAX_PICTURES} screenshots`);
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
  };
}
