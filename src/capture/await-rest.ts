import type { CaptureRequest } from './browser/capture-request.ts';
import { evaluateInFrames } from './evaluate-in-page.ts';
import { whileDocumentLasts } from './follow-page.ts';
import type { OpenPage } from './open-page.ts';
import { bringForwardExpression, Unrest, unrestExpression } from './scripts/rest-script.ts';

/**
 * Activity that changes nothing for this long after load is no longer waited for, ms. Pages poll and draw without end.
 */
const PATIENCE_MS = 3000;
/** How often something without a known end is checked again, ms. */
const POLL_MS = 100;
/** A request younger than this at the end is one of many that the page keeps sending, ms. */
const LONG_REQUEST_MS = 2000;

const AT_REST: Unrest = {
  age: Infinity,
  changes: 0,
  due: 0,
  awaited: 0,
  moves: false,
  late: [],
  reached: 0,
  busy: false,
  live: false,
  silent: false,
  registers: false,
};

/** The unrest of the page and of all its frames together. `limit`: timers of a later page time don't count. */
export async function readUnrest(open: OpenPage, limit: number, whenIdle: boolean): Promise<Unrest> {
  const answers = await evaluateInFrames(open, unrestExpression(limit, whenIdle));
  return answers
    .flatMap((answer) => Unrest.safeParse(answer).data ?? [])
    .reduce(
      (all, each) => ({
        age: Math.min(all.age, each.age),
        changes: all.changes + each.changes,
        due: Math.max(all.due, each.due),
        awaited: Math.max(all.awaited, each.awaited),
        moves: all.moves || each.moves,
        late: [...all.late, ...each.late],
        reached: Math.max(all.reached, each.reached),
        busy: all.busy || each.busy,
        live: all.live || each.live,
        silent: all.silent || each.silent,
        registers: all.registers || each.registers,
      }),
      AT_REST,
    );
}

/**
 * How long ago the last request must have ended before a recurring timer is brought forward, so that the work of its
 * last turn is done. ms
 */
const TURN_MS = 100;

/**
 * A recurring timer holds the page until some of its turns have changed nothing. If nothing else is awaited, these
 * turns run now. @returns when the page should be checked again because of it, ms. Infinity: there is no such timer.
 */
async function bringForward(open: OpenPage, { due, awaited, busy }: Unrest, limit: number): Promise<number> {
  if (due <= awaited) return Infinity;
  if (awaited > 0) return awaited;
  if (!busy && open.requests.quietFor() >= TURN_MS) await evaluateInFrames(open, bringForwardExpression(limit));
  return TURN_MS;
}

/** What of the unrest is left when the page is no longer waited for. */
export type Rest = Pick<Unrest, 'changes' | 'live' | 'late' | 'reached' | 'registers'> & {
  /** Why the page is not at rest, for people. Null if it is. */
  unrest: string | null;
  /** It is not at rest because it keeps changing. */
  moves: boolean;
};

/** When the page counts as at rest, and how long to wait for that. */
export type Bounds = Pick<CaptureRequest, 'settle' | 'series'> & {
  /** Page time: later timers are not waited for, ms. */
  timerLimit: number;
};

/** A page that only keeps sending requests that change nothing is at rest. A pending request may still change it. */
function describe(unrest: Unrest, quiet: number, oldestRequest: number): Rest {
  const { changes, late, reached, registers } = unrest;
  const rest = { changes, late, reached, registers, live: true };
  const moves = unrest.moves || unrest.due > 0 || unrest.age < quiet;
  if (unrest.busy) return { ...rest, unrest: 'part of it is marked as busy', moves: false };
  if (oldestRequest > LONG_REQUEST_MS) return { ...rest, unrest: 'a request did not end', moves };
  return { ...rest, unrest: moves ? 'it kept changing' : null, moves };
}

/** While this page waits, the next capture of its series may begin. */
async function pause(open: OpenPage, { series }: Bounds, ms: number): Promise<void> {
  series?.onWait?.();
  await whileDocumentLasts(open, open.guard.pause(ms));
}

/**
 * Waits until the page is at rest: nothing has changed and no request has ended for some time, and nothing is known
 * that may still change it. The bound of the wait counts from `start` (as of `Date.now`). Work that has started by then
 * may take some more time to end. `calm`: ends after so much time without a change or a request.
 * @throws CaptureError when the page hangs, DocumentReplaced when the page navigated.
 */
export async function awaitRest(
  open: OpenPage,
  bounds: Bounds,
  start: number,
  calm: Pick<Bounds['settle'], 'quiet' | 'network'> = bounds.settle,
): Promise<Rest> {
  const { requests } = open;
  const { settle, timerLimit } = bounds;
  const bound = start + settle.timeout;
  let pending = Date.now();
  const patience = start + Math.min(PATIENCE_MS, settle.timeout);
  for (;;) {
    const unrest = await readUnrest(open, timerLimit, true);
    const now = Date.now();
    const polls = now < patience ? 0 : unrest.age;
    const firm = Math.max(
      calm.quiet - unrest.age,
      unrest.due,
      calm.network - requests.quietFor(polls),
      unrest.busy || unrest.silent ? POLL_MS : 0,
    );
    const lenient = unrest.live ? patience - now : 0;
    const wait = Math.max(firm, Math.min(lenient, POLL_MS));
    const { changes, late, reached, registers } = unrest;
    if (settle.timeout === 0 || (wait <= 0 && !unrest.moves)) {
      const live = unrest.live || requests.inFlight();
      return { unrest: null, moves: false, changes, late, reached, registers, live };
    }
    // Repeated requests never end.
    if (unrest.due > 0 || unrest.busy || requests.inFlight(Infinity)) pending = Math.min(now + unrest.due, bound);
    const last = unrest.moves && unrest.due === 0 ? bound : Math.max(bound, pending + settle.quiet + settle.network);
    if (wait <= 0 || now >= last) return describe(unrest, settle.quiet, requests.oldest());
    const next = Math.min(wait, await bringForward(open, unrest, timerLimit));
    await pause(open, bounds, Math.max(1, Math.min(next, last - now)));
  }
}

/** Waits for the next step of known activity, and reads what is left of it then. `left`: at most so long, ms. */
async function awaitStep(open: OpenPage, bounds: Bounds, unrest: Unrest, left: number): Promise<Unrest> {
  const next = Math.min(unrest.due || POLL_MS, await bringForward(open, unrest, bounds.timerLimit));
  await pause(open, bounds, Math.min(left, next));
  return readUnrest(open, bounds.timerLimit, true);
}

/**
 * Waits for a while for requests and timers that end by themselves. Before that, a first look would be too early.
 * @returns whether there were any.
 */
export async function awaitBegun(open: OpenPage, bounds: Bounds): Promise<boolean> {
  const end = Date.now() + Math.min(PATIENCE_MS, bounds.settle.timeout);
  let waited = false;
  let unrest = await readUnrest(open, bounds.timerLimit, false);
  while (unrest.due > 0 || open.requests.inFlight()) {
    const left = end - Date.now();
    if (left <= 0) break;
    unrest = await awaitStep(open, bounds, unrest, left);
    waited = true;
  }
  return waited;
}

/**
 * Waits until known activity of the page ends, such as a timer or a request, and for a while for a loop that has
 * changed nothing so far.
 * @param before read when the screenshot was taken
 * @param idle read after the page had run what was ready to run then
 * @returns what goes on afterwards, and whether anything was awaited. Null if something has changed since `before`, or
 * the activity does not end.
 */
export async function endsWithoutChange(
  open: OpenPage,
  bounds: Bounds,
  before: Unrest,
  idle: Unrest,
): Promise<(Unrest & { waited: boolean }) | null> {
  const { settle } = bounds;
  const start = Date.now();
  const end = start + settle.timeout;
  const patience = start + Math.min(PATIENCE_MS, settle.timeout);
  let unrest = idle;
  const awaitsRequest = () => open.requests.inFlight(Date.now() < patience ? 0 : unrest.age);
  const mayDraw = () => unrest.live && Date.now() < patience;
  const goesOn = () => unrest.due > 0 || unrest.busy || unrest.silent || awaitsRequest() || mayDraw();
  const waited = goesOn();
  while (unrest.changes === before.changes && goesOn()) {
    const left = end - Date.now();
    if (left <= 0) return null;
    unrest = await awaitStep(open, bounds, unrest, left);
  }
  return unrest.changes === before.changes ? { ...unrest, waited } : null;
}
