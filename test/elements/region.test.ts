import { describe, expect, it } from '@jest/globals';
import {
  expand,
  isEmpty,
  overlap,
  regionOf,
  sharesColumns,
  sharesRows,
  unite,
  type Region,
} from '../../src/elements/region.ts';

const area = (x: number, y: number, width: number, height: number): Region => ({ x, y, width, height });

describe('a region', () => {
  it('is that of a box', () => {
    expect(regionOf([1, 2, 30, 40])).toEqual(area(1, 2, 30, 40));
  });

  it('is empty when it has no width or no height', () => {
    expect([area(5, 5, 1, 1), area(5, 5, 0, 9), area(5, 5, 9, 0), area(5, 5, -2, 9)].map(isEmpty)).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });

  it('around others is as large as it must be, and none around those that are empty', () => {
    const [one, other] = [area(10, 60, 20, 30), area(25, 20, 40, 10)];
    expect(unite([one, other])).toEqual(area(10, 20, 55, 70));
    expect(unite([other, one])).toEqual(area(10, 20, 55, 70));
    expect(unite([area(0, 0, 0, 500), one, area(0, 0, 500, 0)])).toEqual(one);
    expect(unite([area(0, 0, 0, 500)])).toBeNull();
    expect(unite([])).toBeNull();
  });

  it('overlaps another one by the pixels that both have', () => {
    const one = area(10, 20, 30, 40);
    expect(overlap(one, area(35, 55, 100, 100))).toBe(5 * 5);
    expect(overlap(area(35, 55, 100, 100), one)).toBe(5 * 5);
    expect(overlap(one, area(15, 25, 2, 3))).toBe(6);
    expect(overlap(one, area(40, 20, 10, 40))).toBe(0);
    // To the right of it and below.
    expect(overlap(one, area(50, 70, 10, 10))).toBe(0);
  });

  it('expanded has as much more on each side', () => {
    expect(expand(area(10, 20, 30, 40), 3)).toEqual(area(7, 17, 36, 46));
  });
});

describe.each([
  ['rows', sharesRows, (from: number, size: number) => area(0, from, 7, size)],
  ['columns', sharesColumns, (from: number, size: number) => area(from, 0, size, 7)],
])('two areas share %s', (_, shares, areaAt) => {
  const one = areaAt(100, 20);

  it('when one begins before the other one ends', () => {
    for (const other of [areaAt(119, 50), areaAt(81, 20), areaAt(105, 2), areaAt(50, 200), one]) {
      expect([shares(one, other), shares(other, one)]).toEqual([true, true]);
    }
  });

  it('not when they only touch, or are apart', () => {
    for (const other of [areaAt(120, 50), areaAt(80, 20), areaAt(200, 5), areaAt(0, 5)]) {
      expect([shares(one, other), shares(other, one)]).toEqual([false, false]);
    }
  });
});
