import { describe, expect, it } from '@jest/globals';
import { chooseExpired } from '../../../src/runs/builds/build.ts';

const QUOTA = { bytes: 100, builds: 4 };
const build = (id: string, bytes: number, { storedAs = id, isNeeded = false } = {}) => ({
  id,
  storedAs,
  digest: storedAs,
  bytes,
  isNeeded,
});
const expiredOf = (kept: ReturnType<typeof build>[], bytes: number) =>
  chooseExpired(kept, bytes, QUOTA)?.map(({ id }) => id) ?? null;

describe('room for one more build', () => {
  it('is there as long as the quota says', () => {
    expect(expiredOf([], 100)).toEqual([]);
    expect(expiredOf([build('a', 50), build('b', 40)], 10)).toEqual([]);
  });

  it('is made by the oldest, and by no more than it takes', () => {
    expect(expiredOf([build('a', 50), build('b', 40), build('c', 5)], 10)).toEqual(['a']);
    expect(expiredOf([build('a', 1), build('b', 1), build('c', 1), build('d', 1)], 1)).toEqual(['a']);
  });

  it('is not made by those that are needed', () => {
    expect(expiredOf([build('a', 50, { isNeeded: true }), build('b', 40)], 20)).toEqual(['b']);
    expect(expiredOf([build('a', 50, { isNeeded: true }), build('b', 40, { isNeeded: true })], 20)).toBeNull();
  });

  it('is counted once for equal builds, and free when the last of them is gone', () => {
    const twins = [build('a', 60, { storedAs: 's' }), build('b', 60, { storedAs: 's' }), build('c', 10)];
    expect(expiredOf(twins, 30)).toEqual([]);
    expect(expiredOf(twins, 40)).toEqual(['a', 'b']);
  });
});
