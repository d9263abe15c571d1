import { describe, expect, it } from '@jest/globals';
import { createShares } from '../../src/queue/share-places.ts';

/** How many jobs each user begins, one user after the other, as long as they may. */
function begin(shares: ReturnType<typeof createShares>, users: string[]): number[] {
  return users.map((userId) => {
    let begun = 0;
    while (!shares.withoutPlace().includes(userId) && begun < 10) {
      shares.begin(`${userId}${begun}`, userId);
      begun += 1;
    }
    return begun;
  });
}

describe('the places of a lane', () => {
  it('are shared: each user takes half of what is left', () => {
    expect(begin(createShares(6), ['a', 'b', 'c'])).toEqual([3, 2, 1]);
    expect(begin(createShares(8), ['a', 'b', 'c'])).toEqual([4, 2, 1]);
    expect(begin(createShares(1), ['a'])).toEqual([1]);
  });

  it('are free again when a job ends', () => {
    const shares = createShares(6);
    begin(shares, ['a']);
    expect(shares.withoutPlace()).toEqual(['a']);
    shares.end('a1');
    expect(shares.withoutPlace()).toEqual([]);
  });

  it('are fewer for users while jobs of nobody run, which are never held back', () => {
    const shares = createShares(6);
    for (const job of ['1', '2', '3', '4']) shares.begin(job, null);
    expect(shares.withoutPlace()).toEqual([]);
    expect(begin(shares, ['a', 'b'])).toEqual([1, 1]);
    expect(shares.withoutPlace()).toEqual(['a', 'b']);
  });
});
