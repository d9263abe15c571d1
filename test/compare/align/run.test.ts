import { describe, expect, it } from '@jest/globals';
import { slideGaps } from '../../../src/compare/align/run.ts';

const slide = (before: string, after: string, runs: [a: number, b: number, length: number][]) =>
  slideGaps(
    runs.map(([a, b, length]) => ({ a, b, length })),
    (a, b) => before[a] === after[b],
  ).map(({ a, b, length }) => [a, b, length]);

describe('a gap among equal rows', () => {
  it('is as far down as it can be, wherever it was found', () => {
    const [before, after] = ['title....text', 'title......text'];
    const late = [
      [0, 0, 9],
      [9, 11, 4],
    ];
    expect(
      slide(before, after, [
        [0, 0, 5],
        [5, 7, 8],
      ]),
    ).toEqual(late);
    expect(
      slide(before, after, [
        [0, 0, 9],
        [9, 11, 4],
      ]),
    ).toEqual(late);
  });

  it('of removed rows too, and to the end', () => {
    expect(
      slide('top....', 'top..', [
        [0, 0, 3],
        [5, 3, 2],
      ]),
    ).toEqual([
      [0, 0, 5],
      [7, 5, 0],
    ]);
  });

  it('stays where rows of both images are left over', () => {
    const runs: [number, number, number][] = [
      [0, 0, 1],
      [2, 2, 2],
    ];
    expect(slide('a1..', 'a2..', runs)).toEqual(runs);
  });
});
