import { expect, it } from '@jest/globals';
import { keepNewest } from '../../src/async/keep-newest.ts';

it('keeps as many entries as allowed, and an entry that is added again counts as the newest', () => {
  const cache = new Map<string, number>();
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['c', 4],
  ] as const) {
    expect(keepNewest(cache, key, value, 2)).toBe(value);
  }
  expect([...cache]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});
