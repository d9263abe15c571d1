import { describe, expect, it } from '@jest/globals';
import { dropRuns } from '../../../src/compare/align/drop-runs.ts';
import type { Run } from '../../../src/compare/align/run.ts';
import { columnsOf } from './letters.ts';

const TOP = 60;

const rows = (count: number, row: string) => Array.from({ length: count }, () => row);
const same = rows(TOP, 'ssss');

/**
 * What is left of the runs of a change, which lies between rows that are the same.
 * @param runs from the first row of the change on.
 */
function drop(baseline: string[], current: string[], runs: Run[]): Run[] {
  const [one, other] = [
    [...same, ...baseline, ...same],
    [...same, ...current, ...same],
  ];
  const above = { a: 0, b: 0, length: TOP };
  const below = { a: TOP + baseline.length, b: TOP + current.length, length: TOP };
  const whole = { a: 0, aEnd: one.length, b: 0, bEnd: other.length };
  const all = [above, ...runs.map(({ a, b, length }) => ({ a: TOP + a, b: TOP + b, length })), below];
  const kept = dropRuns(columnsOf(one, other), whole, all);
  expect([kept[0], kept.at(-1)]).toEqual([above, below]);
  return kept.slice(1, -1).map(({ a, b, length }) => ({ a: a - TOP, b: b - TOP, length }));
}

describe('a short run in a change', () => {
  it('is dropped where no more pixels differ when all stays in its place', () => {
    expect(drop(['abcd', 'abce', 'abcf'], ['abce', 'abcg', 'abch'], [{ a: 1, b: 0, length: 1 }])).toEqual([]);
  });

  it('is kept where that is worse', () => {
    const run = { a: 1, b: 0, length: 2 };
    expect(drop(['abcd', 'efgh', 'ijkl', 'mnop'], ['efgh', 'ijkl', 'qrst', 'uvwx'], [run])).toEqual([run]);
  });

  it('is dropped up to 40 rows', () => {
    const change = (length: number) =>
      drop(
        ['pppp', ...rows(length, '----'), 'qqqq'],
        [...rows(length, '----'), 'rrrr', 'tttt'],
        [{ a: 1, b: 0, length }],
      );
    expect(change(40)).toEqual([]);
    expect(change(41)).toEqual([{ a: 1, b: 0, length: 41 }]);
  });

  it('is kept where it is in its place', () => {
    const run = { a: 1, b: 1, length: 1 };
    expect(drop(['abcd', 'efgh', 'ijkl'], ['abcx', 'efgh', 'ijkx'], [run])).toEqual([run]);
  });

  it('is dropped with others, where one alone is of no use', () => {
    const [baseline, current] = [
      ['abcd', 'abce', 'abcz', 'abcf'],
      ['abce', 'abcf', 'abcv', 'abcu'],
    ];
    const runs = [
      { a: 1, b: 0, length: 1 },
      { a: 3, b: 1, length: 1 },
    ];
    expect(drop(baseline, current, runs)).toEqual([]);
  });
});
