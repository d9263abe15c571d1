import { availableParallelism, loadavg } from 'node:os';
import { settlesWithin } from '../async/time-limit.ts';
import { formatSeconds } from '../text/format.ts';
import { CaptureCancelled, CaptureError } from './browser/browser.ts';
import type { Warnings } from './capture-warnings.ts';

/** Ends the work on a page for reasons outside of the work itself: a crash, a cancellation, the deadline. */
export type Guard = {
  /** Settles like `work`, or rejects as soon as `fail` is called. */
  race<T>(work: Promise<T>): Promise<T>;
  /**
   * Like `race`, but rejects with a CaptureError with that message after `ms`. On an overloaded machine it waits
   * longer, and time in which this process was suspended does not count.
   */
  within<T>(work: Promise<T>, ms: number, message: string): Promise<T>;
  /** The same without an error: false when the time is over. Rejects if `work` does. */
  settles(work: Promise<unknown>, ms: number): Promise<boolean>;
  pause(ms: number): Promise<void>;
  /** Extends the deadline for all the work by this much. */
  extend(ms: number): void;
  /** Calls `isCancelled` now. @throws CaptureCancelled */
  step(): Promise<void>;
  /** Makes all current and later races reject with this error. If called again, the first error is kept. */
  fail(error: Error): void;
  end(): void;
};

/** The receiver of a page's events, which changes for a kept page. */
export type Listener = { guard: Pick<Guard, 'fail'>; warnings: Pick<Warnings, 'add'> };

/** `isCancelled` is checked between steps anyway. During a long step, it is also checked at this interval. */
const CANCEL_POLL_MS = 1000;

/** The most that counts after a suspension, ms. */
const SLICE_MS = 500;

const MOST_CROWDED = 4;

/** By which factor work takes longer because more programs want to run than there are processors. */
function measureCrowding(): number {
  const [load = 0] = loadavg();
  return Math.min(MOST_CROWDED, Math.max(1, load / availableParallelism()));
}

const cancelled = () => new CaptureCancelled('The capture was cancelled');

/** If a check fails, the next step checks again and reports the failure. @returns the timer */
function pollCancellation(isCancelled: () => Promise<boolean>, fail: (error: Error) => void): NodeJS.Timeout {
  let polling = false;
  return setInterval(() => {
    if (polling) return;
    polling = true;
    isCancelled()
      .then((isTrue) => {
        if (isTrue) fail(cancelled());
      })
      .catch(() => undefined)
      .finally(() => {
        polling = false;
      });
  }, CANCEL_POLL_MS);
}

/** Watches one page until `end` is called. `deadline` is the limit for all the work together, ms. */
export function openGuard(
  deadline: number,
  isCancelled: () => Promise<boolean>,
  crowding: () => number = measureCrowding,
): Guard {
  let fail: (error: Error) => void = () => undefined;
  const doom = new Promise<never>((_, reject) => {
    fail = reject;
  });
  doom.catch(() => undefined);

  const race = <T>(work: Promise<T>): Promise<T> => {
    work.catch(() => undefined);
    return Promise.race([doom, work]);
  };

  async function step(): Promise<void> {
    if (await race(isCancelled())) throw cancelled();
  }

  let limit = deadline;
  const started = performance.now();
  const late = () =>
    fail(new CaptureError(`The page could not be captured within ${formatSeconds(limit / 1000)}`, { code: 'timeout' }));
  let timeUp = setTimeout(late, limit);
  const poll = pollCancellation(isCancelled, fail);

  async function isInTime(raced: Promise<unknown>, ms: number): Promise<boolean> {
    const first = Math.min(ms, SLICE_MS);
    if (await settlesWithin(first, raced)) return true;
    for (let left = ms * crowding() - first; left > 0; left -= SLICE_MS) {
      if (await settlesWithin(Math.min(left, SLICE_MS), raced)) return true;
    }
    return false;
  }

  return {
    race,
    async within(work, ms, message) {
      const raced = race(work);
      if (await isInTime(raced, ms)) return raced;
      throw new CaptureError(message, { code: 'timeout' });
    },
    settles: async (work, ms) => isInTime(race(work), ms),
    async pause(ms) {
      await settlesWithin(ms, doom);
    },
    extend(ms) {
      limit += ms;
      clearTimeout(timeUp);
      timeUp = setTimeout(late, limit - (performance.now() - started));
    },
    step,
    fail: (error) => fail(error),
    end() {
      clearTimeout(timeUp);
      clearInterval(poll);
    },
  };
}
