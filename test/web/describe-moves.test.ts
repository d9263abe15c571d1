import { expect, it } from '@jest/globals';
import { describeMoves } from '../../src/web/review/describe-moves.ts';

const move = (by: number, height: number) => ({ x: 0, y: 0, width: 10, height, baselineY: 1000, currentY: 1000 + by });

it('says how many blocks moved how far, beginning with the largest part of the page', () => {
  expect(describeMoves([move(-8, 10), move(48, 100), move(48, 5)])).toEqual([
    '2 blocks moved down by 48 px',
    '1 block moved up by 8 px',
  ]);
});

it('sums up what moved by many distances', () => {
  expect(describeMoves([1, 2, 3, 4, 5].map((by) => move(by, 100 - by))).at(-1)).toBe('2 blocks moved by other amounts');
});

it('says nothing of what did not move', () => {
  expect([describeMoves(null), describeMoves([])]).toEqual([[], []]);
});
