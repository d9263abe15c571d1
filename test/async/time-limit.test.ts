import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { settlesWithin, withTimeLimit } from '../../src/async/time-limit.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const never = new Promise<string>(() => {});
const late = () => new Error('too late');

describe('settlesWithin', () => {
  it('is true for work that settles in time, and leaves no timer behind', async () => {
    expect(await settlesWithin(1000, Promise.resolve('done'))).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is false when the time passes first', async () => {
    const settled = settlesWithin(1000, never);
    await jest.advanceTimersByTimeAsync(1000);
    expect(await settled).toBe(false);
  });

  it('rejects as the work does', async () => {
    await expect(settlesWithin(1000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('withTimeLimit', () => {
  it('settles as the work does', async () => {
    expect(await withTimeLimit(1000, Promise.resolve('done'), late)).toBe('done');
    await expect(withTimeLimit(1000, Promise.reject(new Error('broken')), late)).rejects.toThrow('broken');
  });

  it('rejects when the time passes first', async () => {
    const outcome = withTimeLimit(1000, never, late).catch((error: Error) => error.message);
    await jest.advanceTimersByTimeAsync(1000);
    expect(await outcome).toBe('too late');
  });
});
