import type { BrowserContext } from 'playwright';
import { z } from 'zod';
import { evaluateInFrames, unlessReplaced } from './evaluate-in-page.ts';
import type { OpenPage } from './open-page.ts';
import { SIZES_STAND } from './scripts/resize-loop-script.ts';
import { FOLLOW_CLOCK_SCRIPT, momentExpression } from './scripts/rest-script.ts';
import { WORKERS_STAND } from './scripts/worker-clock-script.ts';

/** Any instant will do, as long as it is always the same. */
export const STOPPED_AT = Date.parse('2026-01-01T12:00:00Z');
/** A stopped clock is advanced in steps, so that responses to the requests of a step can arrive. ms */
const STEP_MS = 500;
/** How long to wait for that in each step, and in all steps together, without repeated requests, ms. */
const ARRIVAL_MS = 500;
const ARRIVALS_MS = 3000;
/** How long to wait for the requests of the last step, ms. */
const LAST_ARRIVAL_MS = 3000;
/** How far beyond its end the clock may run until no momentary content is shown, ms. */
const MOMENTS_MS = 1000;
const RESPONSE_MS = 10_000;

/** Stops the clock, timers and frames of the pages that are opened in this context. */
export async function stopClock(context: BrowserContext): Promise<void> {
  // The clock is not installed first, because `performance.now` would keep the milliseconds between the two calls.
  await context.clock.pauseAt(STOPPED_AT);
  await context.addInitScript({ content: FOLLOW_CLOCK_SCRIPT });
}

/** @returns how long it took, ms */
async function pauseWhile({ guard }: OpenPage, isPending: () => boolean, bound: number): Promise<number> {
  const start = performance.now();
  while (isPending() && performance.now() - start < bound) await guard.pause(20);
  return performance.now() - start;
}

async function runFor({ page, guard }: OpenPage, ms: number): Promise<void> {
  await guard.within(page.clock.runFor(ms), RESPONSE_MS, 'The page stopped responding');
}

/** In the last step, every request must be answered before it ends. */
async function runLast(open: OpenPage, ms: number): Promise<void> {
  const start = performance.now();
  await runFor(open, ms);
  await pauseWhile(open, () => open.requests.inFlightSince(start), LAST_ARRIVAL_MS);
}

/** How far the clock has to run until no momentary content is shown, ms. A timer may have led to another document. */
async function readMoments(open: OpenPage, within: number): Promise<number> {
  const read = await unlessReplaced(evaluateInFrames(open, momentExpression(within)));
  const answers = read?.value ?? [];
  return Math.ceil(Math.max(0, ...answers.flatMap((answer) => z.number().safeParse(answer).data ?? [])));
}

/**
 * Moves a stopped clock on: timers and frames run in order, each at its time, and then no more. So a page that draws
 * without end is always drawn at the same moment. Many pages do something each second and show that for some
 * milliseconds: the clock must not stop in the middle of it. The less time is left, the sooner such a moment must end
 * to be waited for. Otherwise pages that always show one would be stopped in its middle. @returns how far it was
 * advanced, ms
 */
export async function runStoppedClock(open: OpenPage, ms: number): Promise<number> {
  const { requests } = open;
  let patience = ARRIVALS_MS;
  for (let left = ms; ; left -= STEP_MS) {
    await pauseWhile(open, () => requests.inFlight(), ARRIVAL_MS);
    patience -= await pauseWhile(open, () => requests.inFlight(Infinity), patience);
    if (left <= STEP_MS) {
      if (left > 0) await runLast(open, left);
      break;
    }
    await runFor(open, STEP_MS);
  }
  let more = MOMENTS_MS;
  for (let wait = await readMoments(open, more / 2); wait > 0; wait = await readMoments(open, more / 2)) {
    await runLast(open, wait);
    more -= wait;
  }
  for (const stand of [WORKERS_STAND, SIZES_STAND]) await unlessReplaced(evaluateInFrames(open, stand));
  return ms + MOMENTS_MS - more;
}
