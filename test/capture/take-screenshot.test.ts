import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CaptureCancelled } from '../../src/capture/browser/browser.ts';
import { openGuard, type Guard } from '../../src/capture/guard.ts';
import { inTurn } from '../../src/capture/take-screenshot.ts';

const LIMIT_MS = 60_000;

let guards: Guard[] = [];
beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  for (const guard of guards) guard.end();
  guards = [];
  jest.useRealTimers();
});

/** Screenshots that each take half of the limit of their page. */
function takeLargeParts(count: number, isCancelled: (index: number) => boolean) {
  let [running, most] = [0, 0];
  const taken: number[] = [];
  const taking = Array.from({ length: count }, async (_, index) => {
    const guard = openGuard(
      LIMIT_MS,
      async () => isCancelled(index),
      () => 1,
    );
    guards.push(guard);
    return inTurn(guard, async () => {
      running += 1;
      most = Math.max(most, running);
      await guard.pause(LIMIT_MS / 2);
      running -= 1;
      taken.push(index);
      return index;
    });
  });
  return { ended: Promise.allSettled(taking), taken, most: () => most };
}

describe('large parts of screenshots', () => {
  it('are taken one or two at a time, and their wait is not counted', async () => {
    const { ended, taken, most } = takeLargeParts(10, () => false);
    await jest.advanceTimersByTimeAsync(6 * LIMIT_MS);
    expect((await ended).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'fulfilled'));
    expect(taken).toHaveLength(10);
    expect(most()).toBeLessThanOrEqual(2);
  });

  it('are not taken of a page that was cancelled while it waited', async () => {
    const { ended, taken } = takeLargeParts(5, (index) => index === 2);
    await jest.advanceTimersByTimeAsync(6 * LIMIT_MS);
    const [, , cancelled] = await ended;
    expect(cancelled).toMatchObject({ status: 'rejected', reason: new CaptureCancelled('The capture was cancelled') });
    expect(taken).toEqual([0, 1, 3, 4]);
  });
});
