import { describe, expect, it } from '@jest/globals';
import { fitHunk, trimEqual } from '../../../src/compare/align/cost.ts';
import { columnsOf } from './letters.ts';

const fit = (baseline: string[], current: string[]) =>
  fitHunk(columnsOf(baseline, current), { a: 0, aEnd: baseline.length, b: 0, bEnd: current.length });

const rows = (count: number, of: (row: number) => string) => Array.from({ length: count }, (_, row) => of(row));

describe('two stretches laid over each other', () => {
  it('of one height differ where they do', () => {
    expect(fit(['abc', 'def'], ['abx', 'yef'])).toEqual({ cost: 2, at: 'top', compared: 6 });
  });

  it('of different height lie where fewer pixels differ, and the rest of the taller one differs', () => {
    expect(fit(['aa', 'bb', 'cc'], ['bb', 'cx'])).toEqual({ cost: 2 + 1, at: 'bottom', compared: 8 });
    expect(fit(['bb', 'cx'], ['aa', 'bb', 'cc'])).toEqual({ cost: 2 + 1, at: 'bottom', compared: 8 });
    expect(fit(['aa', 'bb', 'cc'], ['aa', 'bx'])).toEqual({ cost: 2 + 1, at: 'top', compared: 8 });
    expect(fit(['aa', 'aa', 'aa'], ['aa'])).toEqual({ cost: 4, at: 'top', compared: 4 });
  });

  it('of which one is nothing differ as a whole', () => {
    expect(fitHunk(columnsOf(['aa', 'bb'], ['aa']), { a: 0, aEnd: 2, b: 1, bEnd: 1 })).toEqual({
      cost: 4,
      at: 'top',
      compared: 0,
    });
  });

  it('are looked at in some rows, if they are tall', () => {
    const blank = rows(150, () => 'aa');
    const every = (row: number, part: number) => (row % 3 === part ? 'ab' : 'aa');
    expect(
      fit(
        blank,
        rows(150, (row) => every(row, 0)),
      ),
    ).toEqual({ cost: 150, at: 'top', compared: 192 });
    expect(
      fit(
        blank,
        rows(150, (row) => every(row, 1)),
      ),
    ).toEqual({ cost: 0, at: 'top', compared: 192 });
    expect(
      fit(
        blank.slice(0, 95),
        rows(95, (row) => every(row, 1)),
      ).cost,
    ).toBe(32);
  });
});

describe('a hunk without its equal rows', () => {
  const trim = (baseline: string[], current: string[], cut = 0) => {
    const hunk = { a: cut, aEnd: baseline.length - cut, b: cut, bEnd: current.length - cut };
    return trimEqual(columnsOf(baseline, current), hunk);
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
