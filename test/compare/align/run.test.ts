import { describe, expect, it } from '@jest/globals';
import { slideGaps, trimEqual } from '../../../src/compare/align/run.ts';

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

describe('a hunk without its equal rows', () => {
  const trim = (baseline: string[], current: string[], cut = 0) => {
    const hunk = { a: cut, aEnd: baseline.length - cut, b: cut, bEnd: current.length - cut };
    return trimEqual(hunk, (a, b) => baseline[a] === current[b]);
  };

  it('begins and ends where the images differ', () => {
    expect(trim(['a', 'b', 'c', 'd'], ['a', 'x', 'd'])).toEqual({ a: 1, aEnd: 3, b: 1, bEnd: 2 });
    expect(trim(['a', 'b'], ['c', 'd', 'e'])).toEqual({ a: 0, aEnd: 2, b: 0, bEnd: 3 });
  });

  it('is nothing where they are equal, and what is left of the longer one where one begins or ends the other', () => {
    expect(trim(['a', 'b'], ['a', 'b'])).toEqual({ a: 2, aEnd: 2, b: 2, bEnd: 2 });
    expect(trim(['a', 'a', 'a'], ['a', 'a'])).toEqual({ a: 2, aEnd: 3, b: 2, bEnd: 2 });
    expect(trim(['a', 'a'], ['a', 'a', 'a'])).toEqual({ a: 2, aEnd: 2, b: 2, bEnd: 3 });
    expect(trim(['b', 'c'], ['a', 'b', 'c'])).toEqual({ a: 0, aEnd: 0, b: 0, bEnd: 1 });
    expect(trim(['a', 'b', 'c'], ['b', 'c'])).toEqual({ a: 0, aEnd: 1, b: 0, bEnd: 0 });
  });

  it('has nothing that was not in it', () => {
    expect(trim(['a', 'a', 'b', 'a'], ['a', 'a', 'c', 'a'], 1)).toEqual({ a: 2, aEnd: 3, b: 2, bEnd: 3 });
  });
});
