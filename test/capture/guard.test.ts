import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { openGuard, type Guard } from '../../src/capture/guard.ts';

const HOUR_MS = 3_600_000;
const never = new Promise<never>(() => {});

let crowding = 1;
let guard: Guard;
beforeEach(() => {
  jest.useFakeTimers();
  crowding = 1;
  guard = openGuard(
    HOUR_MS,
    async () => false,
    () => crowding,
  );
});
afterEach(() => {
  guard.end();
  jest.useRealTimers();
});

/** What has become of it after that time. */
async function after(ms: number, work: Promise<unknown>): Promise<unknown> {
  let state: unknown = 'waits';
  work.then(
    (value) => (state = value),
    (error: Error) => (state = error.message),
  );
  await jest.advanceTimersByTimeAsync(ms);
  return state;
}

describe('the wait for a page', () => {
  it('ends when the page has responded, or failed', async () => {
    expect(await after(0, guard.within(Promise.resolve('done'), 5000, 'It hangs'))).toBe('done');
    expect(await after(0, guard.within(Promise.reject(new Error('It crashed')), 5000, 'It hangs'))).toBe('It crashed');
  });

  it('ends after its time', async () => {
    expect(await after(4999, guard.within(never, 5000, 'It hangs'))).toBe('waits');
    expect(await after(5000, guard.within(never, 5000, 'It hangs'))).toBe('It hangs');
    expect(await after(10, guard.within(never, 10, 'It hangs'))).toBe('It hangs');
  });

  it('is longer on a machine with three programs for each processor', async () => {
    crowding = 3;
    expect(await after(14_999, guard.within(never, 5000, 'It hangs'))).toBe('waits');
    expect(await after(15_000, guard.within(never, 5000, 'It hangs'))).toBe('It hangs');
  });

  it('ends with what ends all work', async () => {
    const waiting = guard.within(never, 5000, 'It hangs');
    guard.fail(new Error('The browser crashed'));
    expect(await after(0, waiting)).toBe('The browser crashed');
  });
});
