import { describe, expect, it } from '@jest/globals';
import { columnsBetween, guttersIn, markHunk } from '../../../src/compare/align/lay-rows.ts';
import { columnsOf } from './letters.ts';

/** `#` is where something changes from row to row. */
const gutters = (marks: string) => guttersIn(Uint8Array.from(marks, (mark) => (mark === '#' ? 1 : 0)));

const gap = (width: number) => '.'.repeat(width);

describe('gutters', () => {
  it('are at least 12 px wide, between what changes from row to row', () => {
    expect(gutters(`##${gap(12)}###`)).toEqual([{ from: 2, to: 14 }]);
    expect(gutters(`##${gap(11)}###`)).toEqual([]);
    expect(gutters(`${gap(50)}#${gap(50)}`)).toEqual([]);
    expect(gutters(gap(50))).toEqual([]);
  });

  it('are told from the widest, at most 6 of them', () => {
    expect(gutters(`#${gap(12)}#${gap(30)}#${gap(20)}#`)).toEqual([
      { from: 14, to: 44 },
      { from: 45, to: 65 },
      { from: 1, to: 13 },
    ]);
    const table = Array.from({ length: 8 }, (_, at) => `#${gap(12 + at)}`).join('');
    expect(gutters(`${table}#`).map(({ from, to }) => to - from)).toEqual([19, 18, 17, 16, 15, 14]);
  });

  it('divide the width in their middle', () => {
    const [one, other] = [
      { from: 60, to: 91 },
      { from: 10, to: 20 },
    ];
    expect(columnsBetween([one, other], 100)).toEqual([
      { from: 0, to: 15 },
      { from: 15, to: 75 },
      { from: 75, to: 100 },
    ]);
    expect(columnsBetween([], 100)).toEqual([{ from: 0, to: 100 }]);
  });
});

describe('what changes from row to row', () => {
  const marksOf = (baseline: string[], current: string[], hunk: Parameters<typeof markHunk>[1]) => {
    const marks = new Uint8Array(baseline[0]?.length ?? 0);
    markHunk(columnsOf(baseline, current), hunk, marks);
    return [...marks].join('');
  };

  it('is seen in either image, in the rows of the hunk', () => {
    const [baseline, current] = [
      ['abcd', 'abXd', 'abXd', 'Zbcd'],
      ['abcd', 'abcY', 'WbcY'],
    ];
    expect(marksOf(baseline, current, { a: 0, aEnd: 3, b: 0, bEnd: 2 })).toBe('0011');
    expect(marksOf(baseline, current, { a: 1, aEnd: 3, b: 1, bEnd: 2 })).toBe('0000');
    expect(marksOf(baseline, current, { a: 2, aEnd: 4, b: 1, bEnd: 1 })).toBe('1010');
    expect(marksOf(baseline, current, { a: 0, aEnd: 0, b: 1, bEnd: 3 })).toBe('1000');
  });
});
