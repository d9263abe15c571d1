import { describe, expect, it } from '@jest/globals';
import { changedBands, type Pair } from '../../src/compare/changed-bands.ts';
import { openWindow } from '../../src/compare/window.ts';
import type { Image } from '../../src/png/image.ts';
import { blankImage, setPixel } from './random-images.ts';

function withMarks(rows: number[], base: Image = blankImage(5, 50)): Pair {
  const marked = { ...base, pixels: Buffer.from(base.pixels) };
  for (const row of rows) setPixel(marked, 2, row, [0, 0, 0, 255]);
  const whole = { x: 0, width: base.width, top: 0 };
  return { one: openWindow(base, whole), other: openWindow(marked, whole), height: base.height };
}

const changedBandsIn = (pair: Pair) => changedBands(pair, { from: 0, to: pair.height });

describe('changedBands', () => {
  it('is empty where no pixel differs', () => {
    expect(changedBandsIn(withMarks([]))).toEqual([]);
  });

  it('takes two rows more on each side', () => {
    expect(changedBandsIn(withMarks([20]))).toEqual([{ from: 18, to: 23 }]);
  });

  it('ends where the image ends', () => {
    expect(changedBandsIn(withMarks([0, 49]))).toEqual([
      { from: 0, to: 3 },
      { from: 47, to: 50 },
    ]);
  });

  it('joins bands that touch and keeps those that do not', () => {
    expect(changedBandsIn(withMarks([10, 15, 21]))).toEqual([
      { from: 8, to: 18 },
      { from: 19, to: 24 },
    ]);
  });

  it('begins with the first row where a pixel in a band is transparent', () => {
    const base = blankImage(5, 50);
    setPixel(base, 0, 31, [1, 1, 1, 254]);
    expect(changedBandsIn(withMarks([10, 30], base))).toEqual([{ from: 0, to: 33 }]);
    expect(changedBandsIn(withMarks([30], base))).toEqual([{ from: 0, to: 33 }]);
    expect(changedBandsIn(withMarks([10, 30, 40], base))).toEqual([{ from: 0, to: 43 }]);
  });

  it('begins with it where only one of the two is transparent', () => {
    const { one, other, height } = withMarks([10]);
    setPixel(other.image, 0, 10, [255, 255, 255, 254]);
    expect(changedBandsIn({ one, other, height })).toEqual([{ from: 0, to: 13 }]);
    expect(changedBandsIn({ one: other, other: one, height })).toEqual([{ from: 0, to: 13 }]);
  });

  it('counts rows from the top of the windows', () => {
    const inWindow = (transparent: number) => {
      const base = blankImage(5, 50);
      setPixel(base, 0, transparent, [1, 1, 1, 254]);
      const { one, other } = withMarks([30], base);
      return changedBandsIn({ one: { ...one, top: 20 }, other: { ...other, top: 20 }, height: 30 });
    };
    expect(inWindow(31)).toEqual([{ from: 0, to: 13 }]);
    for (const outside of [8, 15, 21, 35]) expect(inWindow(outside)).toEqual([{ from: 8, to: 13 }]);
  });
});
