import { describe, expect, it } from '@jest/globals';
import {
  costWithFiller,
  fillColumns,
  layHunk,
  layRun,
  sideBySide,
  stack,
  type Laid,
} from '../../../src/compare/align/laid.ts';
import { growth, isStretch } from '../../../src/compare/align/lone.ts';
import type { Piece } from '../../../src/compare/layout.ts';
import { columnsOf } from './letters.ts';

const columns = columnsOf(['aa', 'aa', 'bb', 'cc', 'cc'], ['aa', 'dd', 'dd', 'dd', 'ee']);

const piece = (y: number, height: number, baselineY: number | null, currentY: number | null): Piece => ({
  x: 0,
  width: 2,
  y,
  height,
  baselineY,
  currentY,
  filler: false,
});

const laid = (...pieces: Piece[]): Laid => ({ pieces, height: 5, cost: 100 });

describe('rows on the canvas', () => {
  it('that are the same lie on each other', () => {
    expect(layRun(columns, { a: 4, b: 7, length: 3 })).toEqual({ pieces: [piece(0, 3, 4, 7)], height: 3, cost: 0 });
  });

  it('of different height lie on each other at the top or at the bottom', () => {
    const [taller, shorter] = [
      { a: 10, aEnd: 15, b: 20, bEnd: 22 },
      { a: 10, aEnd: 12, b: 20, bEnd: 25 },
    ];
    const [top, bottom] = [
      { cost: 6, at: 'top', compared: 4 } as const,
      { cost: 6, at: 'bottom', compared: 4 } as const,
    ];
    expect(layHunk(columns, taller, top)).toEqual({
      pieces: [piece(0, 2, 10, 20), piece(2, 3, 12, null)],
      height: 5,
      cost: 6,
    });
    expect(layHunk(columns, taller, bottom).pieces).toEqual([piece(3, 2, 13, 20), piece(0, 3, 10, null)]);
    expect(layHunk(columns, shorter, top).pieces).toEqual([piece(0, 2, 10, 20), piece(2, 3, null, 22)]);
    expect(layHunk(columns, shorter, bottom).pieces).toEqual([piece(3, 2, 10, 23), piece(0, 3, null, 20)]);
    expect(layHunk(columns, { ...taller, bEnd: 25 }, top).pieces).toEqual([piece(0, 5, 10, 20)]);
    expect(layHunk(columns, { ...taller, bEnd: 20 }, top).pieces).toEqual([piece(0, 5, 10, null)]);
  });

  it('are stacked, or set side by side', () => {
    const [one, other] = [layRun(columns, { a: 0, b: 0, length: 3 }), { ...laid(piece(1, 4, 3, 3)), cost: 9 }];
    expect(stack([one, other, other])).toEqual({
      pieces: [piece(0, 3, 0, 0), piece(4, 4, 3, 3), piece(9, 4, 3, 3)],
      height: 13,
      cost: 18,
    });
    expect(sideBySide([other, one, other])).toEqual({
      pieces: [piece(1, 4, 3, 3), piece(0, 3, 0, 0), piece(1, 4, 3, 3)],
      height: 5,
      cost: 18,
    });
  });
});

describe('what only one image has', () => {
  it('makes the current image longer or shorter', () => {
    expect([growth(piece(0, 3, null, 1)), growth(piece(0, 3, 1, null))]).toEqual([3, -3]);
  });

  it('only stretches the page where its rows are all like the one above or below', () => {
    const isFiller = (height: number, baselineY: number | null, currentY: number | null) =>
      isStretch(columns, piece(0, height, baselineY, currentY));
    expect([isFiller(1, 0, null), isFiller(1, 1, null), isFiller(1, 4, null)]).toEqual([true, true, true]);
    expect([isFiller(1, null, 1), isFiller(2, null, 1), isFiller(2, null, 2)]).toEqual([true, true, true]);
    expect([isFiller(1, 2, null), isFiller(2, 0, null), isFiller(2, 3, null), isFiller(3, null, 1)]).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect([isFiller(2, null, 0), isFiller(3, null, 2), isFiller(1, null, 4)]).toEqual([false, false, false]);
    expect([isFiller(1, 0, 2), isFiller(1, 2, 2), isFiller(1, null, null)]).toEqual([false, false, false]);
  });

  it('costs nothing where it only stretches the page, all of it one way', () => {
    const [blank, more, less] = [piece(0, 2, null, 1), piece(0, 1, null, 3), piece(0, 1, 0, null)];
    expect(costWithFiller(columns, laid(blank, piece(0, 1, 2, 4)))).toBe(96);
    expect(costWithFiller(columns, laid(blank, more, piece(0, 1, 2, null)))).toBe(94);
    expect(costWithFiller(columns, laid(less))).toBe(98);
    expect(costWithFiller(columns, laid(blank, less))).toBe(100);
  });
});

describe('columns side by side', () => {
  const isFiller = (all: Laid[]) => all.map(({ pieces }) => pieces.map(({ filler }) => filler));
  const [both, blank, words] = [piece(0, 1, 0, 0), piece(1, 2, null, 1), piece(3, 1, null, 4)];

  it('are kept equally tall by filler, which is no difference', () => {
    const filled = fillColumns([
      { columns, laid: laid(both, words) },
      { columns, laid: laid(both, blank) },
    ]);
    expect(isFiller(filled)).toEqual([
      [false, false],
      [false, true],
    ]);
    expect(filled.map(({ cost, height }) => [cost, height])).toEqual([
      [100, 5],
      [96, 5],
    ]);
  });

  it('differ in blank rows where there is nothing else', () => {
    const parts = [laid(both, blank), laid(both)];
    expect(fillColumns(parts.map((part) => ({ columns, laid: part })))).toEqual(parts);
  });
});
