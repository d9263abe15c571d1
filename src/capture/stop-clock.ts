import type { BrowserContext } from 'playwright';
import type { OpenPage } from './open-page.ts';

/** Any instant will do, as long as it is always the same. */
export const STOPPED_AT = Date.parse('2026-01-01T12:00:00Z');
/** How far a stopped clock is moved on after load, in steps, so that what a step asks for can arrive. ms */
const STEPS = 10;
const STEP_MS = 500;
const ARRIVAL_MS = 500;
const RESPONSE_MS = 10_000;

/** Stops the clock, timers and frames of the pages that are opened in this context. */
export async function stopClock(context: BrowserContext): Promise<void> {
  // Not installed first: `performance.now` would keep the milliseconds between the two calls.
  await context.clock.pauseAt(STOPPED_AT);
}

/**
 * Moves a stopped clock on: timers and frames run in order, each at its time, and then no more. So a page that draws
 * without end is always drawn at the same moment.
 */
export async function runStoppedClock({ page, guard, requests }: OpenPage): Promise<void> {
  for (let step = 0; step < STEPS; step += 1) {
    await guard.within(page.clock.runFor(STEP_MS), RESPONSE_MS, 'The page stopped responding');
    const end = Date.now() + ARRIVAL_MS;
    while (requests.inFlight() > 0 && Date.now() < end) await guard.pause(20);
  }
}
