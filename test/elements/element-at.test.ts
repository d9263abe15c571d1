import { describe, expect, it } from '@jest/globals';
import { selectorAt, uniqueSelector } from '../../src/elements/element-at.ts';
import { selectElements } from '../../src/elements/select-elements.ts';
import { mapOf } from './element-map.ts';

const map = mapOf(
  { tag: 'html', box: [0, 0, 1000, 2000] },
  { parent: 0, tag: 'body', box: [0, 0, 1000, 2000] },
  { parent: 1, tag: 'header', classes: ['bar'], box: [0, 0, 1000, 80] },
  { parent: 2, tag: 'p', id: 'clock', box: [800, 20, 120, 40] },
  { parent: 3, tag: 'span', box: [805, 25, 100, 30] },
  { parent: 1, tag: 'main', box: [0, 80, 1000, 1900] },
  { parent: 5, tag: 'article', attributes: { 'data-testid': 'news' }, box: [20, 100, 400, 300] },
  { parent: 6, tag: 'p', box: [20, 120, 400, 40] },
  { parent: 6, tag: 'p', box: [20, 170, 400, 40] },
  { parent: 5, tag: 'img', id: '2-odd', box: [20, 500, 400, 300] },
  { parent: 5, tag: 'p', classes: ['w:full'], box: [20, 900, 10, 10] },
);

const at = (x: number, y: number, width = 10, height = 10) => selectorAt(map, { x, y, width, height });

describe('the element that an area belongs to', () => {
  it('is the smallest that covers it, or its parent of nearly the same size that has a name', () => {
    expect(at(810, 30)).toBe('#clock');
    expect(at(10, 10)).toBe('header.bar');
    expect(at(20, 175, 100)).toBe('[data-testid="news"] > p:nth-of-type(2)');
    expect(at(25, 110, 300, 200)).toBe('[data-testid="news"]');
  });

  it('may be a little smaller than the area', () => {
    expect(at(797, 17, 126, 46)).toBe('#clock');
  });

  it('is none where only the page covers the area', () => {
    expect(at(10, 60, 900, 900)).toBeNull();
    expect(at(5000, 10)).toBeNull();
  });
});

describe('a unique selector', () => {
  it('matches the element and no other, whatever its names', () => {
    for (const element of map.elements) {
      const selector = uniqueSelector(map, element) ?? '';
      expect(selectElements(map, selector)).toEqual([element]);
    }
  });
});
