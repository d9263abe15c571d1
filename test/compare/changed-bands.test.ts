import { describe, expect, it } from '@jest/globals';
import { changedBands } from '../../src/compare/changed-bands.ts';
import type { Image } from '../../src/compare/image.ts';
import { blankImage, setPixel } from './random-images.ts';

function withMarks(rows: number[], base: Image = blankImage(5, 50)): [Image, Image] {
  const marked = { ...base, pixels: Buffer.from(base.pixels) };
  for (const row of rows) setPixel(marked, 2, row, [0, 0, 0, 255]);
  return [base, marked];
}

describe('changedBands', () => {
  it('is empty where no pixel differs', () => {
    expect(changedBands(...withMarks([]))).toEqual([]);
  });

  it('takes two rows more on each side', () => {
    expect(changedBands(...withMarks([20]))).toEqual([{ from: 18, to: 23 }]);
  });

  it('ends where the image ends', () => {
    expect(changedBands(...withMarks([0, 49]))).toEqual([
      { from: 0, to: 3 },
      { from: 47, to: 50 },
    ]);
  });

  it('joins bands that touch and keeps those that do not', () => {
    expect(changedBands(...withMarks([10, 15, 21]))).toEqual([
      { from: 8, to: 18 },
      { from: 19, to: 24 },
    ]);
  });

  it('begins with the first row where a pixel in a band is transparent', () => {
    const base = blankImage(5, 50);
    setPixel(base, 0, 31, [1, 1, 1, 254]);
    expect(changedBands(...withMarks([10, 30], base))).toEqual([{ from: 0, to: 33 }]);
  });
});
