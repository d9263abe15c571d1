import { keepNewest } from '../async/keep-newest.ts';
import { formatList, formatNumber, formatSeconds, ifAny } from '../text/format.ts';
import type { Capture } from './browser/browser.ts';
import { MAX_SETTLE_MS, type CaptureRequest, type CaptureWay } from './browser/capture-request.ts';
import type { Lease } from './browser/keep-browser.ts';
import { captureInContext, mayBeKept, type Found } from './capture-in-context.ts';
import { note, searchIn, unlessFailed, type Session } from './capture-session.ts';
import { collectWarnings, type Warnings } from './capture-warnings.ts';
import { findLateChanges } from './find-late-changes.ts';
import { confirmHeard } from './heard/confirm-heard.ts';
import { combineRecorded } from './manifest/manifest.ts';
import { beginCapture } from './series.ts';
import { combineServed } from './served/served.ts';
import { settlePage, type Believed } from './settle-page.ts';
import type { Shot } from './take-shot.ts';

function judgeStability(hashes: string[], warnings: Warnings): Capture['stability'] {
  if (warnings.has('unstable')) return 'UNSTABLE';
  return new Set(hashes).size === 1 ? 'AT_ONCE' : 'SETTLED';
}

/** A page that is known to move may still look the same. */
function neverRepeats(hashes: string[]): boolean {
  return hashes.every((hash, i) => hash !== hashes[i - 1]);
}

/** How many parts that did not load are named. */
const NAMED = 3;

function warnOfFailed({ failed }: Found, warnings: Warnings): void {
  if (failed.length === 0) return;
  const left = failed.length - NAMED;
  const names = formatList([
    ...failed.slice(0, NAMED),
    ...ifAny(left, `${left === 1 ? 'one' : formatNumber(left)} more`),
  ]);
  warnings.add('parts_not_loaded', `The page was captured without what did not load: ${names}`);
}

const WORKER_BLOCKED =
  'The page registers a service worker, which is blocked. What waits for it is not in the screenshot. Set serviceWorkers to allow to let it run.';

/**
 * Whether the page has the bytes of its baseline if it is captured like the baseline was, which differs from the
 * suite's current settings.
 */
async function looksAsBefore(session: Session, { timeout, clock }: CaptureWay): Promise<boolean> {
  const { request, warnings } = session;
  const settle = { ...request.settle, timeout };
  const look = searchIn({
    ...session,
    request: { ...request, settle },
    hashes: [],
    loads: [],
    records: [],
    heard: [],
    seen: null,
  });
  const found = await unlessFailed(look({ still: clock === 'stopped', last: false }));
  const isSame = found?.shot.sha256 === request.baseline?.sha256;
  const ways = `The baseline was captured with a limit of ${formatSeconds(timeout / 1000)} for the page to become stable, and this screenshot with ${formatSeconds(request.settle.timeout / 1000)}`;
  warnings.add(
    'other_timeout',
    isSame
      ? `${ways}. With the limit of the baseline, the page has not changed.`
      : `${ways}. The page differs with both.`,
  );
  return isSame;
}

/** Finds out which later timers change the picture, and warns about them. */
async function judgeLate(session: Session, { late, shot }: Found): Promise<number[]> {
  const { lease, request, warnings, isCancelled } = session;
  const { timeout } = request.settle;
  const within = late.filter((due) => due <= MAX_SETTLE_MS);
  if (within.length === 0 || !request.looksBeyond) return [];
  const { way = null, sha256 = null } = request.baseline ?? {};
  const isKnown = way !== null && sha256 === shot.sha256 && way.timeout === timeout;
  // If this can't be checked, each of them may be one.
  const found = isKnown
    ? way.late
    : ((await unlessFailed(findLateChanges(lease, request, within, isCancelled))) ?? within);
  const last = found.at(-1);
  if (last === undefined) return [];
  const dues = formatList(found.map((due) => formatSeconds(due / 1000)));
  warnings.add(
    'late_timer',
    `The page changes ${dues} after it has loaded, which is after the limit of ${formatSeconds(timeout / 1000)}, so that is not in the screenshot. Set settle.timeout to ${last} to include it.`,
    { timeout: last },
  );
  return found;
}

/** What assistive technology is told by the loads that show the final screenshot. Null if that was not read. */
async function readHeard(session: Session, { shot, still }: Believed): Promise<Buffer | null> {
  const { request, heard } = session;
  const trees = heard.filter(({ sha256 }) => sha256 === shot.sha256).map(({ tree }) => tree);
  return confirmHeard(request, shot, trees, async () => {
    const again = await unlessFailed(searchIn(session)({ wanted: [shot.sha256], still }));
    return again?.heard ?? null;
  });
}

/**
 * The final screenshot of a page. One with the bytes of a baseline that was taken at rest is accepted at once, and so
 * is a new page that nothing can change any more. Any other is taken at rest, and accepted only if a second load, or at
 * least a second screenshot, shows the same. A page that never stands still is captured with its clock stopped.
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
  if (request.series !== undefined) await beginCapture(request.series);
  const seen = await unlessFailed(lookInKeptPage(lease, request, warnings, isCancelled));
  const session: Session = { lease, request, warnings, hashes, loads: [], records: [], heard: [], seen, isCancelled };
  if (seen !== null) note(session, seen);
  const settled = await settlePage(session);
  if (settled.by === 'nothing' && neverRepeats(settled.hashes)) {
    warnings.add('unstable', 'The page never looked the same twice in a row');
  }
  const { shot, early } = settled;
  if (shot.unrest !== null) {
    const bound = formatSeconds(request.settle.timeout / 1000);
    warnings.add('not_at_rest', `The page was not stable ${bound} after it loaded: ${shot.unrest}`);
  }
  if (shot.registers && request.serviceWorkers === 'block') warnings.add('service_worker_blocked', WORKER_BLOCKED);
  warnOfFailed(settled, warnings);
  const stability = judgeStability(hashes, warnings);
  noteChange(request, shot);
  const { way = null, sha256 = null } = request.baseline ?? {};
  const wasEarly = shot.unrest === null && early !== null && early.sha256 === sha256;
  const isOther = sha256 !== shot.sha256 && way !== null && way.timeout !== request.settle.timeout;
  const isAsBefore = isOther && (await looksAsBefore(session, way));
  const heard = await readHeard(session, settled);
  return {
    png: shot.png,
    sha256: shot.sha256,
    width: shot.width,
    height: shot.height,
    title: shot.title === '' ? null : shot.title,
    way: {
      clock: settled.still ? 'stopped' : 'running',
      timeout: request.settle.timeout,
      late: await judgeLate(session, settled),
    },
    warnings: warnings.all(),
    engine: lease.launched.engine,
    duration: Math.round(performance.now() - started),
    stability,
    screenshots: hashes.length,
    alsoSeen: settled.alsoSeen,
    served: shot.sha256 === sha256 ? null : combineServed(session.loads),
    recorded: combineRecorded(session.records),
    cut: warnings.has('cut'),
    atRest: shot.unrest === null,
    asBefore: wasEarly ? 'not_at_rest' : isAsBefore ? 'other_timeout' : null,
    elements: settled.elements,
    heard,
    unmatched: settled.unmatched,
    landing: settled.landing,
  };
}

const MANY = 100;

/** Scopes whose last still page differed from its baseline. */
const changed = new Map<string, true>();

/** If one page has changed, the next one probably has, too. Then a look that can only confirm a baseline is skipped. */
function noteChange({ scope, baseline }: CaptureRequest, { sha256, isStill }: Shot): void {
  if (scope === undefined || baseline === null) return;
  if (isStill && sha256 !== baseline.sha256) keepNewest(changed, scope, true, MANY);
  else changed.delete(scope);
}

/**
 * The first look at a page, in a kept page of its scope. Null if it is not worthwhile. It can only settle two things:
 * the page equals its baseline, or it is new and still. Otherwise a page in a fresh context has to show the same.
 */
async function lookInKeptPage(
  lease: Lease,
  request: CaptureRequest,
  warnings: Warnings,
  isCancelled: () => Promise<boolean>,
): Promise<Found | null> {
  const { scope, baseline } = request;
  const asBaseline = baseline === null || (baseline.atRest && baseline.way?.clock !== 'stopped');
  if (scope === undefined || !asBaseline || !mayBeKept(request) || changed.has(scope)) return null;
  const isNew = baseline === null;
  const known = isNew ? [] : [baseline.sha256];
  const search = { wanted: known, known, early: true, last: false, still: false, proves: isNew, once: isNew };
  return captureInContext(lease, request, search, warnings, isCancelled, scope);
}
