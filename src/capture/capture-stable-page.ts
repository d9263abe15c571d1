import { CaptureError } from './browser/browser.ts';
import type { Capture, CaptureRequest } from './browser/browser.ts';
import { captureInContext } from './capture-in-context.ts';
import type { Found, Search } from './capture-in-context.ts';
import { collectWarnings } from './capture-warnings.ts';
import type { Warnings } from './capture-warnings.ts';
import type { Lease } from './browser/keep-browser.ts';
import { combineServed } from './served.ts';
import type { Served } from './served.ts';
import { formatSeconds } from '../text/format.ts';

function judgeStability(hashes: string[], warnings: Warnings): Capture['stability'] {
  if (warnings.has('unstable')) return 'UNSTABLE';
  return new Set(hashes).size === 1 ? 'AT_ONCE' : 'SETTLED';
}

/** A page may be known to move, and look the same all the same. */
function neverRepeats(hashes: string[]): boolean {
  return hashes.every((hash, i) => hash !== hashes[i - 1]);
}

/** Null when the page can't be captured in this way: some need a clock that runs. */
async function unlessFailed(search: Promise<Found>): Promise<Found | null> {
  return search.catch((error: unknown) => {
    if (error instanceof CaptureError) return null;
    throw error;
  });
}

type LookAgain = (changes: Partial<Search>) => Promise<Found>;

/** `alsoSeen`: what loads that had settled have shown, but for the last one. */
type Confirmed = Found & { differs: boolean; alsoSeen: string[] };

/**
 * What most loads of the page show: the first and one more, or else one of those and a third. Now and then a load is
 * drawn differently, and would raise false alarms for as long as it is the baseline.
 */
async function confirm(first: Found, baseline: string[], look: LookAgain): Promise<Confirmed> {
  const repeats = first.by === 'repetition';
  const wanted = repeats ? [...baseline, first.shot.sha256] : baseline;
  const second = await look({ wanted, last: !repeats });
  if (!repeats) return { ...second, differs: second.by === 'repetition', alsoSeen: [] };
  const others = (last: Found, before: Found[]) =>
    last.by === 'nothing' ? [] : before.map(({ shot }) => shot.sha256).filter((sha256) => sha256 !== last.shot.sha256);
  if (second.by !== 'repetition') return { ...second, differs: false, alsoSeen: others(second, [first]) };
  const third = await look({ wanted: [...wanted, second.shot.sha256] });
  return { ...third, differs: third.by === 'repetition', alsoSeen: others(third, [first, second]) };
}

/**
 * The final screenshot of a page (issue, "Capture"). One with the bytes of a baseline that was taken at rest is
 * accepted at once. Any other is taken at rest, and accepted only if a second context, or at least a second screenshot,
 * shows the same. A page that never stands still is captured once more with its clock stopped.
 * @throws CaptureError, CaptureCancelled
 */
export async function capturePage(
  lease: Lease,
  request: CaptureRequest,
  isCancelled: () => Promise<boolean>,
): Promise<Capture> {
  const started = performance.now();
  const warnings = collectWarnings();
  const hashes: string[] = [];
  const loads: Served[] = [];
  let alsoSeen: string[] = [];
  const search = async (changes: Partial<Search>): Promise<Found> => {
    const whole = { wanted: baseline, known, early: false, last: true, still: false, ...changes };
    const found = await captureInContext(lease, request, whole, warnings, isCancelled);
    hashes.push(...found.hashes);
    if (found.served !== null) loads.push(found.served);
    return found;
  };
  const baseline = request.baseline === null ? [] : [request.baseline.sha256];
  const seeds = request.baseline === null;
  let known = request.baseline?.atRest === true ? baseline : [];
  let settled = await search({ early: true, last: false });
  const { early } = settled;
  let still = false;
  if (settled.by === 'nothing') {
    const held = await unlessFailed(search({ last: false, still: true }));
    if (held !== null && held.by !== 'nothing') {
      settled = held;
      still = true;
      warnings.add('clock_stopped', 'The page kept changing, so it was captured with its clock stopped');
    }
  }
  if (settled.by === 'repetition' || (settled.by === 'nothing' && !seeds)) {
    if (settled.shot.unrest === null) known = [...known, settled.shot.sha256];
    const confirmed = await confirm(settled, baseline, async (changes) =>
      // What seeds has no history to be judged by, only the first load: the same bytes are enough.
      search({ still, early: seeds && !still, ...changes }),
    );
    settled = confirmed;
    alsoSeen = confirmed.alsoSeen;
    if (confirmed.differs) warnings.add('unstable', 'The page looks different each time it is loaded');
    else if (alsoSeen.length > 0)
      warnings.add('unstable', 'The page has two layouts: it looked different when it was loaded again');
  }
  if (settled.by === 'nothing' && neverRepeats(settled.hashes)) {
    warnings.add('unstable', 'The page never looked the same twice in a row');
  }
  const { shot } = settled;
  if (shot.unrest !== null) {
    const bound = formatSeconds(request.settle.timeout / 1000);
    warnings.add('not_at_rest', `The page was not stable ${bound} after it loaded: ${shot.unrest}`);
  }
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
    alsoSeen,
    served: shot.sha256 === request.baseline?.sha256 ? null : combineServed(loads),
    cut: warnings.has('cut'),
    atRest: shot.unrest === null,
    early,
    elements: settled.elements,
    unmatched: settled.unmatched,
    landing: settled.landing,
  };
}
