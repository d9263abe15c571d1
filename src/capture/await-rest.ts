import type { CaptureRequest } from './browser/browser.ts';
import { evaluateInMainWorld } from './evaluate-in-page.ts';
import { whileDocumentLasts } from './follow-page.ts';
import type { OpenPage } from './open-page.ts';
import { Unrest, unrestExpression } from './scripts/rest-script.ts';

/** What changes nothing for this long after load is no longer waited for, ms. Pages poll and draw without end. */
const PATIENCE_MS = 3000;
/** Until something without a time of its own is looked at again, ms. */
const POLL_MS = 100;

const AT_REST: Unrest = {
  age: Infinity,
  changes: 0,
  due: 0,
  moves: false,
  busy: false,
  live: false,
  silent: false,
  drawing: false,
};

/** The unrest of the page and of all its frames together. A frame that does not answer does not count. */
export async function readUnrest(open: OpenPage, limit: number, whenIdle: boolean): Promise<Unrest> {
  const expression = unrestExpression(limit, whenIdle);
  const { page } = open;
  const frames = page.frames().filter((frame) => frame !== page.mainFrame());
  const [main, inner] = await Promise.all([
    evaluateInMainWorld(open, expression),
    Promise.allSettled(
      frames.map(async (frame) => open.guard.within(frame.evaluate(expression), POLL_MS * 10, 'late')),
    ),
  ]);
  const answers = [main, ...inner.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))];
  return answers
    .flatMap((answer) => Unrest.safeParse(answer).data ?? [])
    .reduce(
      (all, each) => ({
        age: Math.min(all.age, each.age),
        changes: all.changes + each.changes,
        due: Math.max(all.due, each.due),
        moves: all.moves || each.moves,
        busy: all.busy || each.busy,
        live: all.live || each.live,
        silent: all.silent || each.silent,
        drawing: all.drawing || each.drawing,
      }),
      AT_REST,
    );
}

export type Rest = {
  /** Why the page is not at rest, for people. Null when it is. */
  unrest: string | null;
  /** It is not at rest because it keeps changing. */
  moves: boolean;
  /** How many changes there have been. */
  changes: number;
  /** Something is still running that may draw. */
  live: boolean;
};

function describe(unrest: Unrest, quiet: number, inFlight: number): Rest {
  const { changes } = unrest;
  const moves = unrest.moves || unrest.drawing || unrest.due > 0 || unrest.age < quiet;
  if (unrest.busy) return { unrest: 'part of it is marked as busy', moves: false, changes, live: true };
  if (inFlight > 0) return { unrest: 'a request did not end', moves, changes, live: true };
  return { unrest: moves ? 'it kept changing' : 'it kept sending requests', moves, changes, live: true };
}

/**
 * Waits until the page is at rest: nothing has changed and no request has ended for some time, and nothing is known
 * that may still change it. Not at rest when the bound has passed since `start` (as of `Date.now`).
 * @throws CaptureError when the page hangs, DocumentReplaced when the page navigated.
 */
export async function awaitRest(
  open: OpenPage,
  { settle }: Pick<CaptureRequest, 'settle'>,
  start: number,
): Promise<Rest> {
  const { guard, requests } = open;
  const end = start + settle.timeout;
  const patience = start + Math.min(PATIENCE_MS, settle.timeout);
  for (;;) {
    const unrest = await readUnrest(open, Math.max(0, end - Date.now()), true);
    const now = Date.now();
    const firm = Math.max(
      settle.quiet - unrest.age,
      unrest.due,
      settle.network - requests.quietFor(),
      unrest.busy ? POLL_MS : 0,
    );
    const lenient = unrest.drawing ? end - now : unrest.live ? patience - now : 0;
    const wait = Math.max(firm, Math.min(lenient, POLL_MS));
    const { changes } = unrest;
    if (settle.timeout === 0 || (wait <= 0 && !unrest.moves && !unrest.drawing)) {
      return { unrest: null, moves: false, changes, live: unrest.live };
    }
    if (wait <= 0 || now >= end) return describe(unrest, settle.quiet, requests.inFlight());
    await whileDocumentLasts(open, guard.pause(Math.max(1, Math.min(wait, end - now))));
  }
}

/**
 * Waits for what the page is known to be doing, such as a timer or a request. True when that has changed nothing since
 * `before`, which was read when the screenshot was taken.
 */
export async function endsWithoutChange(
  open: OpenPage,
  { settle }: Pick<CaptureRequest, 'settle'>,
  before: Unrest,
): Promise<boolean> {
  const end = Date.now() + settle.timeout;
  let unrest = before;
  while (unrest.due > 0 || unrest.busy || unrest.silent || open.requests.inFlight() > 0) {
    const left = end - Date.now();
    if (left <= 0) return false;
    await whileDocumentLasts(open, open.guard.pause(Math.min(left, unrest.due > 0 ? unrest.due : POLL_MS)));
    unrest = await readUnrest(open, Math.max(0, end - Date.now()), true);
    if (unrest.changes !== before.changes) return false;
  }
  return true;
}
