import { describe, expect, it } from '@jest/globals';
import { selectElements } from '../../src/elements/select-elements.ts';
import { mapOf } from './element-map.ts';

const map = mapOf(
  { tag: 'html' },
  { parent: 0, tag: 'body' },
  { parent: 1, tag: 'nav', id: 'top', classes: ['bar', 'wide'] },
  { parent: 2, tag: 'a', attributes: { href: '/one' }, text: 'One' },
  { parent: 2, tag: 'a', attributes: { href: '/two', 'data-testid': 'second' }, text: 'Two' },
  { parent: 1, tag: 'p' },
  { parent: 1, tag: 'p', text: 'Text' },
);

const placesOf = (selector: string) => selectElements(map, selector).map((element) => map.elements.indexOf(element));

describe('elements of a map', () => {
  it.each<[string, number[]]>([
    ['a', [3, 4]],
    ['#top', [2]],
    ['.bar.wide > a', [3, 4]],
    ['[data-testid="second"]', [4]],
    ['nav a:nth-child(2)', [4]],
    ['nav:has(> a[href="/one"])', [2]],
    ['a + a, nav ~ p', [4, 5, 6]],
    ['p:empty', [5]],
    [':root', [0]],
    ['body > *:not(p)', [2]],
    ['.missing', []],
  ])('are found by %s', (selector, places) => {
    expect(placesOf(selector)).toEqual(places);
  });

  it('are not searched with what is no selector', () => {
    expect(() => selectElements(map, 'a:nth-child(x)')).toThrow('n-th rule');
  });
});
