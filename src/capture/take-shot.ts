import { awaitBegun, awaitRest, endsWithoutChange, readUnrest, type Bounds, type Rest } from './await-rest.ts';
import type { CaptureRequest } from './browser/capture-request.ts';
import { reachClosedRoots } from './element-map/reach-closed-roots.ts';
import { evaluateInFrames, evaluateInPage, inDocument } from './evaluate-in-page.ts';
import { followPage, whileDocumentLasts } from './follow-page.ts';
import type { OpenPage } from './open-page.ts';
import type { PreparedPage } from './scripts/page-script.ts';
import { HEIGHT_EXPRESSION } from './scripts/page-size-script.ts';
import { TURN_ONCE, type Unrest } from './scripts/rest-script.ts';
import { stillImages } from './scripts/still-images.ts';
import { countReactions, stabilizePage } from './stabilize-page.ts';
import { isStill } from './still-page.ts';
import { takeScreenshot, type Screenshot } from './take-screenshot.ts';

/** `isStill`: nothing in the page can change any more. */
export type Shot = Screenshot & Rest & { title: string; isStill: boolean };

/** How often a page that has grown is scrolled through again. */
const MAX_ROUNDS = 5;
const ROUNDS_MS = 20_000;
const GROWS = 'The page grew each time it was scrolled through, so it was captured without what comes after its end';
/** Without a change or a request for so long, a page that has grown is scrolled through before it is at rest, ms. */
const LULL_MS = 250;

/** An uneven interval, so that cyclic motion is not sampled once in each cycle, ms. */
const UNEVEN_MS = 300;

const NO_REST = { unrest: null, moves: false, changes: 0, live: false, isStill: false };
const STILL = { ...NO_REST, isStill: true, late: [], reached: 0, registers: false };

/** A request, and the page time until which timers are waited for. */
export type TimedRequest = CaptureRequest & Bounds;

async function take(open: OpenPage, request: CaptureRequest, prepared: PreparedPage): Promise<Screenshot> {
  return whileDocumentLasts(
    open,
    inDocument(open, async () => takeScreenshot(open, request, prepared)),
  );
}

/** How a page has been scrolled through: to which height, and for how many listeners and observers. */
export type Seen = { seenHeight: number; reactions: number };

/** `unrest` was read when the screenshot was taken, `idle` after the page had run what was ready to run then. */
export type EarlyShot = { shot: Shot; unrest: Unrest; idle: Unrest; seen: Seen };

/**
 * The page before it is known to be at rest, and what it was doing at that moment. A baseline that was not at rest is
 * compared with the page right after it has loaded.
 */
export async function takeEarlyShot(open: OpenPage, request: TimedRequest): Promise<EarlyShot> {
  return followPage(open, request, async () => {
    let prepared = await stabilizePage(open, request, 'first');
    const { scripted } = prepared;
    const awaits = scripted && request.baseline?.atRest !== false;
    if (awaits && (await awaitBegun(open, request))) prepared = await stabilizePage(open, request, 'first');
    const [screenshot, unrest, idle] = await Promise.all([
      take(open, request, prepared),
      readUnrest(open, request.timerLimit, false),
      scripted ? readUnrest(open, request.timerLimit, true) : null,
    ]);
    const { title, seenHeight, reactions } = prepared;
    const { late, reached, registers } = unrest;
    return {
      shot: { ...screenshot, title, ...NO_REST, late, reached, registers },
      unrest,
      idle: idle ?? unrest,
      seen: { seenHeight, reactions },
    };
  });
}

async function takeIfStill(open: OpenPage, request: TimedRequest, prepared: PreparedPage): Promise<Shot | null> {
  if (!(await isStill(open))) return null;
  await stillImages(open);
  return { ...(await take(open, request, prepared)), title: prepared.title, ...STILL };
}

/** The early screenshot if the page was at rest because nothing can change any more. Otherwise null. */
export async function proveEarly(open: OpenPage, request: TimedRequest, { shot }: EarlyShot): Promise<Shot | null> {
  const holds = await followPage(
    open,
    request,
    async (moved) => !moved && (await isStill(open)) && !(await stillImages(open)),
  );
  return holds ? { ...shot, ...STILL } : null;
}

/**
 * The early screenshot if the page turns out to have been at rest. Otherwise null. A picture can change without the
 * document, by a background that arrives or a popover: if anything was awaited, the page has to show the same again.
 */
export async function confirmEarly(open: OpenPage, request: TimedRequest, early: EarlyShot): Promise<Shot | null> {
  return followPage(open, request, async (moved) => {
    const rest = moved ? null : await endsWithoutChange(open, request, early.unrest, early.idle);
    if (rest === null) return null;
    const { shot } = early;
    const again = rest.waited ? await take(open, request, await stabilizePage(open, request, 'again')) : shot;
    return again.sha256 === shot.sha256 ? { ...shot, late: rest.late, registers: rest.registers } : null;
  });
}

/** Scrolls through a page that has grown, and awaits it. Only work that this starts gets as much time as loading. */
async function scrollAgain(open: OpenPage, request: TimedRequest, { reached }: Rest): Promise<Rest> {
  const timerLimit = reached + request.timerLimit;
  await readUnrest(open, timerLimit, false);
  await stabilizePage(open, request, 'first');
  return awaitRest(open, { ...request, timerLimit }, Date.now());
}

/** The page at rest. `seenHeight`: the height to which it has been scrolled through. */
type AtRest = { rest: Rest; seenHeight: number };

/**
 * Most late content comes soon. So the page is scrolled through after a short quiet time, and the long wait until it is
 * at rest comes once, for everything.
 */
async function awaitWhole(open: OpenPage, request: TimedRequest, start: number, seen: Seen): Promise<AtRest> {
  const { seenHeight, reactions } = seen;
  const { quiet, network } = request.settle;
  const lull = { quiet: Math.min(quiet, LULL_MS), network: Math.min(network, LULL_MS) };
  const rest = await awaitRest(open, request, start, lull);
  if (rest.unrest !== null) return { rest, seenHeight };
  const height = await evaluateInPage(open, HEIGHT_EXPRESSION, 0);
  if (typeof height === 'number' && height !== seenHeight)
    return { rest: await scrollAgain(open, request, rest), seenHeight: height };
  // What a script observes that came after the page had been scrolled through has seen nothing of that.
  const isSeen = !request.fullPage || (await countReactions(open)) <= reactions;
  return { rest: isSeen ? await awaitRest(open, request, start) : await scrollAgain(open, request, rest), seenHeight };
}

/**
 * The page at rest. Late content may load more when it comes into view, so while the page grows, it is scrolled through
 * again. `seen`: how this document has been scrolled through before, or null when it is new.
 */
export async function takeShotAtRest(open: OpenPage, request: TimedRequest, seen: Seen | null): Promise<Shot> {
  return followPage(open, request, async (moved) => {
    const start = Date.now();
    const known = moved ? null : seen;
    const first = await stabilizePage(open, request, known === null ? 'first' : 'again');
    const still = await takeIfStill(open, request, first);
    if (still !== null) return still;
    await reachClosedRoots(open);
    let { rest, seenHeight } = await awaitWhole(open, request, start, known ?? first);
    let prepared = await stabilizePage(open, request, 'rest');
    for (let rounds = 0; rounds < MAX_ROUNDS && prepared.height !== seenHeight && !rest.moves; rounds += 1) {
      if (Date.now() - start > ROUNDS_MS) break;
      seenHeight = prepared.height;
      rest = await scrollAgain(open, request, rest);
      prepared = await stabilizePage(open, request, 'rest');
    }
    if (prepared.height !== seenHeight && !rest.moves) open.warnings.add('height_not_settled', GROWS);
    // Only a request, such as that for a background image, may have kept it from being still.
    const stillNow = rest.moves ? null : await takeIfStill(open, request, prepared);
    if (stillNow !== null) return stillNow;
    await stillImages(open);
    return { ...(await take(open, request, prepared)), title: prepared.title, isStill: false, ...rest };
  });
}

/**
 * One more screenshot. For a page that may still draw, it is taken after a while, because otherwise it would prove
 * nothing. A page that keeps changing has one turn in between: of two alternating pictures, a slow machine would see the
 * same again and again.
 */
export async function takeShotAgain(open: OpenPage, request: TimedRequest, last: Shot): Promise<Shot> {
  const shot = await followPage(open, request, async (moved) => {
    if (moved) return null;
    if (last.moves) await evaluateInFrames(open, TURN_ONCE);
    const pause = last.moves ? UNEVEN_MS * Math.random() : 0;
    await whileDocumentLasts(open, open.guard.pause(pause + (last.live ? request.settle.quiet : 0)));
    const prepared = await stabilizePage(open, request, 'again');
    const { changes } = last.moves ? await readUnrest(open, 0, false) : last;
    return { ...last, ...(await take(open, request, prepared)), title: prepared.title, changes };
  });
  return shot ?? takeShotAtRest(open, request, null);
}
