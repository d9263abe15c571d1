import { expect, it } from '@jest/globals';
import { describeMoves } from '../../../src/web/runs/result-notes.ts';

const move = (by: number) => ({ x: 0, y: 0, width: 10, height: 10, baselineY: 1000, currentY: 1000 + by });

it('says how many blocks moved which way, and how far', () => {
  expect(describeMoves([6, 54, 12].map(move))).toEqual(['3 blocks moved down (6–54 px)']);
  expect(describeMoves([-8, 48, 48].map(move))).toEqual(['2 blocks moved down (48 px)', '1 block moved up (8 px)']);
});

it('says nothing of what did not move', () => {
  expect([describeMoves(null), describeMoves([])]).toEqual([[], []]);
});
