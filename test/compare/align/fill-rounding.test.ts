import { describe, expect, it } from '@jest/globals';
import { fillRounding } from '../../../src/compare/align/align-images.ts';
import type { Piece } from '../../../src/compare/layout.ts';
import { columnsOf } from './letters.ts';

/** Rows that are all alike, but for the last one. */
const rows = [...Array.from({ length: 20 }, () => 'aa'), 'bb'];
const columns = columnsOf(rows, rows);

const piece = (part: Partial<Piece>): Piece => ({
  x: 0,
  y: 0,
  width: 2,
  height: 1,
  baselineY: 3,
  currentY: 3,
  filler: false,
  ...part,
});

const both = piece({ height: 4 });
const change = piece({ height: 5, baselineY: null });
const [more, less] = [piece({ baselineY: null }), piece({ currentY: null })];

const fill = (...pieces: Piece[]) => fillRounding(columns, pieces).map(({ filler }) => filler);

describe('a blank row that only one image has', () => {
  it('is filler below a change', () => {
    expect(fill(change, both, more)).toEqual([false, false, true]);
    expect(fill(change, both, less)).toEqual([false, false, true]);
    const [, filled] = fillRounding(columns, [change, more]);
    expect(filled).toEqual({ ...more, filler: true });
  });

  it('is a change on its own', () => {
    expect(fill(both, more, both)).toEqual([false, false, false]);
    expect(fill(both, less)).toEqual([false, false]);
  });

  it('is a change where they add up to more than a row', () => {
    expect(fill(change, more, both, more)).toEqual([false, true, false, false]);
    expect(fill(change, less, both, less)).toEqual([false, true, false, false]);
    expect(fill(change, more, less, less, more)).toEqual([false, true, true, true, true]);
  });

  it('is counted from the last change on', () => {
    expect(fill(change, more, change, more)).toEqual([false, true, false, true]);
    expect(fill(change, more, more, more)).toEqual([false, true, false, false]);
  });

  it('is counted in each column by itself', () => {
    const beside = piece({ x: 9, baselineY: null });
    expect(fill(change, more, beside, more)).toEqual([false, true, true, false]);
  });

  it('is a change where it is not blank, or more than a row', () => {
    expect(fill(change, piece({ baselineY: null, currentY: 20 }))).toEqual([false, false]);
    expect(fill(change, less, piece({ baselineY: null, height: 2 }))).toEqual([false, true, false]);
  });

  it('is filler below what an ignored element grew by', () => {
    const ignored = { ...columns, masked: { fractions: true } };
    const pieces = fillRounding(ignored, [{ ...change, filler: true }, more, both, more]);
    expect(pieces.map(({ filler }) => filler)).toEqual([true, true, false, false]);
  });

  it('is filler in the place where an ignored element grew, drawn above that', () => {
    const growth = { ...change, y: 1, filler: true };
    const fractions = (isThere: boolean) => ({ ...columns, masked: { fractions: isThere } });
    expect(fillRounding(fractions(true), [less, growth, both])[0]).toEqual({ ...less, filler: true });
    expect(fillRounding(fractions(true), [less, { ...growth, y: 5 }])[0]).toEqual(less);
    expect(fillRounding(fractions(false), [less, growth])[0]).toEqual(less);
  });

  it('is a change below it where all ends on whole pixels, and beside a column that grew', () => {
    const ignored = { ...columns, masked: { fractions: false } };
    expect(fillRounding(ignored, [{ ...change, filler: true }, more])[1]).toEqual(more);
    expect(fill({ ...change, filler: true }, more)).toEqual([true, false]);
  });
});
