import { expect, it } from '@jest/globals';
import { outlineChanges } from '../../../src/web/comparison/fold-bands.ts';

const box = (x: number, y: number) => ({ x, y, width: 10, height: 10 });
const NOTHING = { baseline: [], current: [] };

const inserted = { ...box(50, 50), baseline: null, current: box(50, 40) };
const older = box(2, 100);

it('outlines each change on the canvas where both screenshots are lined up', () => {
  const { baseline, current } = outlineChanges([inserted, older], NOTHING, false);
  expect(baseline).toEqual(current);
  expect(current.changes).toEqual([
    { number: 1, x: 46, y: 46, width: 18, height: 18, drift: false },
    { number: 2, x: 0, y: 96, width: 16, height: 18, drift: false },
  ]);
});

it('outlines it where it is on each screenshot, if it is there, where these are as they are', () => {
  const { baseline, current } = outlineChanges([inserted, older], NOTHING, true);
  expect(baseline.changes.map(({ number }) => number)).toEqual([2]);
  expect(current.changes.map(({ number, y }) => [number, y])).toEqual([
    [1, 36],
    [2, 96],
  ]);
});
