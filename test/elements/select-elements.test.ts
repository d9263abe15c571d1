import { describe, expect, it } from '@jest/globals';
import type { MappedElement } from '../../src/elements/element-map.ts';
import { selectElements } from '../../src/elements/select-elements.ts';
import { growth, LINEAR } from '../support/growth.ts';
import { mapOf } from './element-map.ts';

type Search = { selectElements: typeof selectElements };
const SEARCH = import.meta.resolve('../../src/elements/select-elements.ts');

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

  it.each<[string, number[]]>([
    ['nav:has(body a)', []],
    ['body:has(> nav a + a)', [1]],
    ['p:has(+ p)', [5]],
    ['a:has(~ a), nav:has(~ p)', [2, 3]],
    ['body :is(nav a, nav ~ p):not(p + p)', [3, 4, 5]],
    ['p:nth-last-child(2), a:nth-child(1 of [data-testid])', [4, 5]],
  ])('are found by %s as in a browser', (selector, places) => {
    expect(placesOf(selector)).toEqual(places);
  });

  it.each(['a:not([loading])', 'a:not(nav [style])', 'a:not(:not([loading="lazy"]))', 'nav:has(a:not([dir]))'])(
    'are not found by %s, because maps do not keep that attribute',
    (selector) => {
      expect(placesOf(selector)).toEqual([]);
    },
  );

  it('are found by what they do not have of attributes that maps keep', () => {
    expect(placesOf('a:not([data-testid])')).toEqual([3]);
    expect(placesOf('body > :not([id], [class])')).toEqual([5, 6]);
  });

  it.each([
    'p ~ div ~ div',
    'p div div div',
    ':has(~ div ~ p)',
    ':has(> :has(> p))',
    ':nth-last-of-type(2n)',
    ':nth-last-child(2n of p ~ div)',
  ])('are searched in a time by their number: %s', async (selector) => {
    const prepare = (search: Search, size: number, text: string, [plain]: MappedElement[]) => {
      const [deep, flat] = [(index: number) => index - 1, (index: number) => (index === 0 ? -1 : 0)].map((parentOf) =>
        Array.from({ length: size }, (_, index) => ({ ...plain, parent: parentOf(index) }) as MappedElement),
      );
      return () => [deep, flat].map((elements = []) => search.selectElements({ elements }, text));
    };
    expect(await growth(SEARCH, prepare, selector, mapOf({}).elements)).toBeLessThan(LINEAR);
  });
});
