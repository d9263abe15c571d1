import type { HeardNode } from '../elements/heard/heard-tree.ts';
import { formatList, formatSeconds } from '../text/format.ts';
import { CaptureError, MAX_SETTLE_MS, type Capture, type CaptureRequest, type CaptureWay } from './browser/browser.ts';
import type { Lease } from './browser/keep-browser.ts';
import { captureInContext, type Found, type Search } from './capture-in-context.ts';
import { collectWarnings, type Warnings } from './capture-warnings.ts';
import { findLateChanges } from './find-late-changes.ts';
import { confirmHeard } from './heard/confirm-heard.ts';
import { lookInKeptPage, noteChange } from './look-in-kept-page.ts';
import { combineRecorded, type Recorded } from './manifest/manifest.ts';
import { combineServed, type Served } from './served/served.ts';

function judgeStability(hashes: string[], warnings: Warnings): Capture['stability'] {
  if (warnings.has('unstable')) return 'UNSTABLE';
  return new Set(hashes).size === 1 ? 'AT_ONCE' : 'SETTLED';
}

/** A page that is known to move may still look the same. */
function neverRepeats(hashes: string[]): boolean {
  return hashes.every((hash, i) => hash !== hashes[i - 1]);
}

/** Null when the page can't be captured in this way: some need a clock that runs. */
async function unlessFailed<T>(search: Promise<T>): Promise<T | null> {
  return search.catch((error: unknown) => {
    if (error instanceof CaptureError) return null;
    throw error;
  });
}

type LookAgain = (changes: Partial<Search>) => Promise<Found>;

/** `alsoSeen`: the screenshots of settled loads, except the last one. */
type Confirmed = Found & { differs: boolean; alsoSeen: string[] };

/**
 * What most loads of the page show: the first and second, or else one of them and a third. Chromium sometimes draws a
 * load differently, which would cause false alarms for as long as it is the baseline.
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

const WORKER_BLOCKED =
  'The page registers a service worker, which is blocked. What waits for it is not in the screenshot. Set serviceWorkers to allow to let it run.';

const TWO_LAYOUTS = 'The page has two layouts: it looked different when it was loaded again';

const STOPPED = 'The page kept changing, so it was captured with its clock stopped';

/** Captures of one page, which share their warnings. */
type Session = {
  lease: Lease;
  request: CaptureRequest;
  warnings: Warnings;
  hashes: string[];
  loads: Served[];
  /** The first look, in a kept page. Another load with the same screenshot confirms it. */
  seen: Found | null;
  records: Recorded[];
  /** What assistive technology is told, by each load that was read. */
  heard: { sha256: string; tree: HeardNode }[];
  isCancelled: () => Promise<boolean>;
};

/** Remember the screenshot of each settled load, even if it is not accepted. */
function note({ hashes, loads, records, heard }: Session, found: Found): void {
  hashes.push(...found.hashes);
  loads.push(...found.served);
  if (found.recorded !== null) records.push(found.recorded);
  if (found.heard !== null) heard.push({ sha256: found.shot.sha256, tree: found.heard });
}

function searchIn(session: Session): LookAgain {
  const { lease, request, warnings, seen, isCancelled } = session;
  const baseline = request.baseline === null ? [] : [request.baseline.sha256];
  const wanted = seen?.by === 'repetition' ? [...baseline, seen.shot.sha256] : baseline;
  const known = request.baseline?.atRest === true ? baseline : [];
  return async (changes) => {
    const search = { wanted, known, early: false, last: true, still: false, proves: true, ...changes };
    const found = await captureInContext(lease, request, search, warnings, isCancelled);
    note(session, found);
    return found;
  };
}

type Believed = Found & { still: boolean; alsoSeen: string[] };

/**
 * Captures the page with its clock running, unless the baseline was taken with a stopped one. A page that never stands
 * still is captured with its clock stopped.
 */
async function findBelieved({ request, warnings, seen }: Session, look: LookAgain): Promise<Believed> {
  const stopped = async () => {
    const held = await unlessFailed(look({ last: false, still: true }));
    return held === null || held.by === 'nothing' ? null : { ...held, still: true, alsoSeen: [] };
  };
  const asBaseline = request.baseline?.way?.clock === 'stopped';
  const held = asBaseline ? await stopped() : null;
  if (held !== null) return held;
  const running = { ...(await look({ early: seen === null, last: false })), still: false, alsoSeen: [] };
  if (running.by !== 'nothing' || asBaseline) return running;
  const { early } = running;
  const late = await stopped();
  if (late === null) return running;
  warnings.add('clock_stopped', STOPPED);
  return { ...late, early };
}

/** A screenshot that differs from the baseline is accepted if another load of the page shows the same. */
async function confirmBelieved(session: Session, look: LookAgain, found: Believed): Promise<Believed> {
  const { request, warnings } = session;
  const baseline = request.baseline === null ? [] : [request.baseline.sha256];
  const seeds = request.baseline === null;
  if (found.by === 'wanted' || (found.by === 'nothing' && seeds)) return found;
  const { still, early, shot } = found;
  const known = request.baseline?.atRest === true ? baseline : [];
  const { differs, ...confirmed } = await confirm(found, baseline, async (changes) =>
    // A new page has no baseline to compare with, only the first load: equal bytes are enough.
    look({
      still,
      early: seeds && !still,
      known: shot.unrest === null ? [...known, shot.sha256] : known,
      ...changes,
    }),
  );
  if (differs) warnings.add('unstable', 'The page looks different each time it is loaded');
  else if (confirmed.alsoSeen.length > 0) {
    warnings.add('unstable', TWO_LAYOUTS);
  }
  return { ...confirmed, still, early };
}

async function settle(session: Session): Promise<Believed> {
  const { seen, warnings } = session;
  if (seen?.by === 'wanted') return { ...seen, still: false, alsoSeen: [] };
  const look = searchIn(session);
  const believed = await confirmBelieved(session, look, await findBelieved(session, look));
  const { sha256 } = believed.shot;
  if (seen?.shot.isStill !== true || seen.shot.sha256 === sha256 || believed.by === 'nothing') return believed;
  warnings.add('unstable', TWO_LAYOUTS);
  return { ...believed, alsoSeen: [...new Set([...believed.alsoSeen, seen.shot.sha256])] };
}

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
  const seen = await unlessFailed(lookInKeptPage(lease, request, warnings, isCancelled));
  const session: Session = { lease, request, warnings, hashes, loads: [], records: [], heard: [], seen, isCancelled };
  if (seen !== null) note(session, seen);
  const settled = await settle(session);
  if (settled.by === 'nothing' && neverRepeats(settled.hashes)) {
    warnings.add('unstable', 'The page never looked the same twice in a row');
  }
  const { shot, early } = settled;
  if (shot.unrest !== null) {
    const bound = formatSeconds(request.settle.timeout / 1000);
    warnings.add('not_at_rest', `The page was not stable ${bound} after it loaded: ${shot.unrest}`);
  }
  if (shot.registers && request.serviceWorkers === 'block') warnings.add('service_worker_blocked', WORKER_BLOCKED);
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
