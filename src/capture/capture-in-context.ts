import type { HeardNode } from '../elements/heard/heard-tree.ts';
import { answerRequests } from './answer-requests.ts';
import { readUnrest } from './await-rest.ts';
import type { Capture } from './browser/browser.ts';
import type { CaptureRequest, CaptureSeries } from './browser/capture-request.ts';
import type { Lease } from './browser/keep-browser.ts';
import type { Warnings } from './capture-warnings.ts';
import { refuseHugePage } from './element-map/refuse-huge-page.ts';
import { takeElementMap } from './element-map/take-element-map.ts';
import { followPage } from './follow-page.ts';
import { followRules, timeForRules } from './follow-rules.ts';
import { guardServiceWorkers } from './guard-service-workers.ts';
import { openGuard } from './guard.ts';
import { takeHeardTree } from './heard/take-heard-tree.ts';
import { loadPage } from './load-page.ts';
import type { Recorded } from './manifest/manifest.ts';
import { readManifest } from './manifest/read-manifest.ts';
import type { OpenPage } from './open-page.ts';
import { chanceScript } from './scripts/chance-script.ts';
import { OBSERVES_SCRIPT } from './scripts/page-script.ts';
import { RESIZE_LOOP_SCRIPT } from './scripts/resize-loop-script.ts';
import { watchScript } from './scripts/rest-script.ts';
import { workerClockScript } from './scripts/worker-clock-script.ts';
import { withFreshPage, withKeptPage } from './series.ts';
import { readServed } from './served/read-served.ts';
import type { Served } from './served/served.ts';
import { readLanding } from './site-access/read-landing.ts';
import { runStoppedClock, stopClock, STOPPED_AT } from './stop-clock.ts';
import { takeSettledShot, type Search, type Settled } from './take-settled-shot.ts';
import type { TimedRequest } from './take-shot.ts';
import { listFailedParts } from './watch/watch-requests.ts';

/** Extra time for one context on top of the limits of the steps, ms. */
const SLACK_MS = 15_000;

export type Found = Settled &
  Pick<Capture, 'elements' | 'unmatched' | 'landing'> & {
    /** The `settle.timeout` for each timer that was not waited for and may change the page, ms, in order. */
    late: number[];
    /** The parts of the page that did not load. Empty if not needed. */
    failed: string[];
    /** What assistive technology is told. Null if not needed. */
    heard: HeardNode | null;
    /** For each request of the document. Empty if not needed. */
    served: Served[];
    /** Null if nothing was recorded. */
    recorded: Recorded | null;
  };

/** The page time at which timers are no longer waited for, on a page without rules. */
const limitAfterLoad = ({ settle, waitTime }: CaptureRequest) => settle.timeout + waitTime;

/** The rules may have waited for a timer. Work that it started gets as much time as loading. */
async function limitTimers(open: OpenPage, request: CaptureRequest): Promise<number> {
  const limit = limitAfterLoad(request);
  if (timeForRules(request) === 0) return limit;
  const { reached } = await followPage(open, request, async () => readUnrest(open, limit, false));
  return Math.max(limit, request.settle.timeout + reached);
}

type Loaded = {
  open: OpenPage;
  /** An earlier capture of the series has loaded it. */
  isLeft: boolean;
  request: TimedRequest;
  /** Selectors of the rules that matched nothing. */
  missing: string[];
};

/** A page that an earlier capture left was not still at the size of this one. */
class LeftPageMoved extends Error {}

/** Pages with site access, of builds, and of suites that allow service workers are captured in fresh contexts only. */
export const mayBeKept = ({ access, site, serviceWorkers }: CaptureRequest) =>
  access === null && site === null && serviceWorkers === 'block';

/** The series of a request, if its captures may share a load. Actions and the target of a link change the page. */
function findSeries(request: CaptureRequest): CaptureSeries | undefined {
  const { url, rules, series } = request;
  const mayBeLeft = mayBeKept(request) && rules.waitFor.length + rules.actions.length === 0 && !url.includes('#');
  return mayBeLeft ? series : undefined;
}

type How = {
  /** The page's clock is stopped and advanced by this much, ms. */
  stopAfter: number | null;
  /** In a kept page of this scope. Without it, in a fresh context. */
  scope?: string;
};

/** Loads the page and applies the rules, unless an earlier capture of the series has left it. */
export async function inLoadedPage<T>(
  lease: Lease,
  request: CaptureRequest,
  { stopAfter, scope }: How,
  warnings: Warnings,
  isCancelled: () => Promise<boolean>,
  use: (loaded: Loaded) => Promise<T>,
): Promise<T> {
  const { timeout, waitTime, settle } = request;
  const limit = 3 * timeout + waitTime + 2 * settle.timeout + timeForRules(request) + SLACK_MS;
  // The time limit starts after the turn begins.
  const endTurn = (await request.takeTurn?.()) ?? (() => undefined);
  const watching = openGuard(limit, isCancelled);
  // While this page waits, another one may be worked on.
  const pause = async (ms: number) => {
    endTurn();
    return watching.pause(ms);
  };
  const guard = { ...watching, pause };
  const still = stopAfter !== null;
  const chance = chanceScript(still ? { clock: null, seedRandom: true, preview: request.preview } : request);
  // Rules may wait for a timer, however late.
  const latest = still || timeForRules(request) > 0 ? Infinity : limitAfterLoad(request);
  const all = [watchScript(latest), OBSERVES_SCRIPT, chance];
  const stopped = still ? [RESIZE_LOOP_SCRIPT, workerClockScript(STOPPED_AT, limitAfterLoad(request)), ...all] : all;
  const scripts = stopped.filter((script) => script !== '');
  const series = still ? undefined : findSeries(request);
  const like = JSON.stringify([request.url, request.customCss, request.rules]);
  const user = { guard, warnings, share: series && { series, like } };
  try {
    await guard.step();
    const options = { ...request, scripts, before: still ? stopClock : null };
    const useLoaded = async (open: OpenPage, isLeft: boolean) => {
      if (isLeft)
        return use({ open, isLeft, request: { ...request, timerLimit: limitAfterLoad(request) }, missing: [] });
      if (request.site !== null) await answerRequests(open, request.site);
      if (request.serviceWorkers === 'allow') await guardServiceWorkers(open, request);
      open.navigation.loaded(await loadPage(open, request));
      // A new mouse starts in the corner of the page. Move it off the page, so that nothing there is hovered.
      open.cdp.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: -1, y: -1 }).catch(() => undefined);
      await guard.step();
      if (stopAfter !== null) await runStoppedClock(open, stopAfter);
      const missing = await followRules(open, request);
      const timed = { ...request, timerLimit: await limitTimers(open, request) };
      return use({ open, isLeft, request: timed, missing });
    };
    if (scope === undefined) return await withFreshPage(lease, options, user, useLoaded);
    return await withKeptPage(lease, { ...options, scope }, user, useLoaded);
  } finally {
    if (request.series === undefined) endTurn();
    guard.end();
  }
}

/** Results besides the screenshots: the elements, if this context decides. */
async function describeFound(loaded: Loaded, settled: Settled, decides: boolean): Promise<Found> {
  const { open, request, missing } = loaded;
  const { shot } = settled;
  const { origins, baseline, records } = request;
  const differs = shot.sha256 !== baseline?.sha256;
  const isNew = decides && differs;
  const asked = differs && origins !== undefined ? open.navigation.first().response : null;
  const twice = settled.by === 'wanted' && shot.isStill;
  const served = asked === null || origins === undefined ? [] : await readServed(open, asked, { origins, twice });
  const isOnlySeen = !decides && settled.by !== 'repetition';
  const isRecorded = (differs && !isOnlySeen) || records?.always === true;
  const recorded = isRecorded && records !== undefined ? await readManifest(open, records.places, request) : null;
  const isHeard = !isOnlySeen && (request.heard === 'always' || (request.heard === 'differs' && differs));
  if (isNew || isHeard) await refuseHugePage(open);
  const elements = isNew ? await takeElementMap(open, request, shot) : null;
  const heard = isHeard ? await takeHeardTree(open, request.rules) : null;
  const landing = isNew ? await readLanding(open) : null;
  const head = request.timerLimit - request.settle.timeout;
  const late = [...new Set(shot.late.map((at) => at - head))].toSorted((one, other) => one - other);
  const unmatched = [...new Set([...missing, ...shot.unmatched])];
  const failed = differs ? listFailedParts(open.requests.begun() ?? []) : [];
  return { ...settled, late, failed, served, recorded, elements, heard, landing, unmatched };
}

/**
 * Takes screenshots of a page until they settle, in a kept page of the scope or in a fresh context. A context that
 * decides reads the elements too.
 */
export async function captureInContext(
  lease: Lease,
  { series, ...asked }: CaptureRequest,
  search: Search,
  warnings: Warnings,
  isCancelled: () => Promise<boolean>,
  scope?: string,
): Promise<Found> {
  const how = { stopAfter: search.still ? limitAfterLoad(asked) : null, ...(scope === undefined ? {} : { scope }) };
  const capture = async (request: CaptureRequest) =>
    inLoadedPage(lease, request, how, warnings, isCancelled, async (loaded) => {
      const settled = await takeSettledShot(loaded.open, loaded.request, search);
      const { by, shot } = settled;
      if (loaded.isLeft && by !== 'wanted' && !shot.isStill) throw new LeftPageMoved();
      const decides = scope === undefined ? search.last || by !== 'repetition' : by === 'wanted';
      return describeFound(loaded, settled, decides);
    });
  if (series === undefined) return capture(asked);
  try {
    return await capture({ ...asked, series });
  } catch (error) {
    if (!(error instanceof LeftPageMoved)) throw error;
    return capture(asked);
  }
}
