import { describe, expect, it } from '@jest/globals';
import { keysOfRows } from '../../../src/compare/align/match-rows.ts';
import { openWindow } from '../../../src/compare/window.ts';
import { picture } from './letters.ts';

const image = picture('abcd', 'aaaa', 'abcx', 'abcd', 'bbbb', 'aabb', 'aaaa');

describe('the keys of rows', () => {
  it('are the same for rows that are', () => {
    const { keys } = keysOfRows(openWindow(image, { x: 0, width: 4, top: 0 }), { from: 0, to: 7 });
    expect([...keys].map((key) => keys.indexOf(key))).toEqual([0, 1, 2, 0, 4, 5, 1]);
  });

  it('are of the columns and rows that are looked at', () => {
    const { from, keys } = keysOfRows(openWindow(image, { x: 0, width: 3, top: 0 }), { from: 2, to: 5 });
    expect([from, keys.length]).toEqual([2, 3]);
    expect([...keys].map((key) => keys.indexOf(key))).toEqual([0, 0, 2]);
  });

  it('tell which rows have one color', () => {
    const isBlank = (x: number, width: number) => {
      const { keys, blank } = keysOfRows(openWindow(image, { x, width, top: 0 }), { from: 0, to: 7 });
      return [...keys].map((key) => blank.has(key));
    };
    expect(isBlank(0, 4)).toEqual([false, true, false, false, true, false, true]);
    expect(isBlank(2, 2)).toEqual([false, true, false, false, true, true, true]);
  });
});
