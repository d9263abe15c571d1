import { blockHosts } from './block-hosts.ts';
import type { Capture, CaptureRequest } from './browser.ts';
import { collectWarnings } from './capture-warnings.ts';
import type { Warnings } from './capture-warnings.ts';
import { chanceScript } from './chance-script.ts';
import { followRules, timeForRules } from './follow-rules.ts';
import { openGuard } from './guard.ts';
import type { Lease } from './keep-browser.ts';
import { loadPage } from './load-page.ts';
import { withPage } from './open-page.ts';
import type { OpenPage } from './open-page.ts';
import { OBSERVES_SCRIPT } from './page-script.ts';
import { WATCH_SCRIPT } from './rest-script.ts';
import { restoreFonts } from './restore-fonts.ts';
import { showsRest, takeEarlyShot, takeShotAgain, takeShotAtRest } from './take-shot.ts';
import type { Shot } from './take-shot.ts';
import { takeElementMap } from './take-element-map.ts';

const SCREENSHOT_LIMIT = 5;

/** Extra time for one context on top of the limits of the steps, ms. */
const SLACK_MS = 15_000;

/** The screenshots of one context. */
type Settled = {
  shot: Shot;
  /** Why no more were taken. */
  by: 'wanted' | 'repetition' | 'nothing';
  /** Of those that count for stability. */
  hashes: string[];
  early: Shot | null;
};

/** `early`: whether the page is looked at before it is at rest. `last`: whether no other context may follow. */
type Search = { wanted: string[]; early: boolean; last: boolean };

/** Takes screenshots of the page at rest until one has a wanted hash, or two in a row are identical, or it is enough. */
async function takeSettledShot(open: OpenPage, request: CaptureRequest, search: Search): Promise<Settled> {
  const hashes: string[] = [];
  let early: Shot | null = null;
  if (search.early && request.baseline !== null) {
    const { shot, unrest } = await takeEarlyShot(open, request);
    hashes.push(shot.sha256);
    const { sha256, atRest } = request.baseline;
    if (atRest && shot.sha256 === sha256 && (await showsRest(open, request, unrest))) {
      return { shot: { ...shot, atRest }, by: 'wanted', hashes, early };
    }
    if (!atRest) early = shot;
    await open.guard.step();
    await restoreFonts(open);
  }
  let last = await takeShotAtRest(open, request, hashes.length > 0);
  hashes.push(last.sha256);
  if (search.wanted.includes(last.sha256)) return { shot: last, by: 'wanted', hashes, early };
  for (let taken = 1; taken < SCREENSHOT_LIMIT; taken += 1) {
    await open.guard.step();
    await restoreFonts(open);
    const next = await takeShotAgain(open, request, last);
    hashes.push(next.sha256);
    if (search.wanted.includes(next.sha256)) return { shot: next, by: 'wanted', hashes, early };
    if (next.sha256 === last.sha256) return { shot: next, by: 'repetition', hashes, early };
    last = next;
  }
  return { shot: last, by: 'nothing', hashes, early };
}

/** Loads the page in a fresh context and takes screenshots until they settle. The last context reads the elements too. */
async function captureOnce(
  lease: Lease,
  request: CaptureRequest,
  search: Search,
  warnings: Warnings,
  isCancelled: () => Promise<boolean>,
): Promise<Settled & Pick<Capture, 'elements' | 'unmatched'>> {
  const { timeout, waitTime, settle } = request;
  const limit = 3 * timeout + waitTime + 2 * settle.timeout + timeForRules(request) + SLACK_MS;
  const guard = openGuard(limit, isCancelled);
  const scripts = [WATCH_SCRIPT, OBSERVES_SCRIPT, chanceScript(request)].filter((script) => script !== '');
  try {
    await guard.step();
    return await withPage(lease, { ...request, scripts }, guard, warnings, async (open) => {
      await blockHosts(open, request.blockHosts);
      await loadPage(open, request);
      // A new mouse starts in the corner of the page. Move it off the page, so that nothing there is hovered.
      open.cdp.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: -1, y: -1 }).catch(() => undefined);
      await guard.step();
      const missing = await followRules(open, request);
      const settled = await takeSettledShot(open, request, search);
      const isNew = search.last && settled.shot.sha256 !== request.baseline?.sha256;
      const elements = isNew ? await takeElementMap(open, request, settled.shot) : null;
      return { ...settled, elements, unmatched: [...new Set([...missing, ...settled.shot.unmatched])] };
    });
  } finally {
    guard.end();
  }
}

function judgeStability(hashes: string[], warnings: Warnings): Capture['stability'] {
  if (warnings.has('unstable')) return 'UNSTABLE';
  return new Set(hashes).size === 1 ? 'AT_ONCE' : 'SETTLED';
}

/**
 * The final screenshot of a page (issue, "Capture"). One with the bytes of a baseline that was taken at rest is
 * accepted at once. Any other is taken at rest. One that differs from the baseline is accepted only if a second
 * context, or at least a second screenshot, shows the same.
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
  const first: Search = { wanted: baseline, early: true, last: request.baseline === null };
  let settled = await captureOnce(lease, request, first, warnings, isCancelled);
  const { early } = settled;
  const hashes = [...settled.hashes];
  if (request.baseline !== null && settled.by !== 'wanted') {
    const wanted = settled.by === 'repetition' ? [...baseline, settled.shot.sha256] : baseline;
    settled = await captureOnce(lease, request, { wanted, early: false, last: true }, warnings, isCancelled);
    hashes.push(...settled.hashes);
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
    stability: judgeStability(hashes, warnings),
    screenshots: hashes.length,
    cut: warnings.has('cut'),
    atRest: shot.atRest,
    early,
    elements: settled.elements,
    unmatched: settled.unmatched,
  };
}
