import { describe, expect, it } from '@jest/globals';
import { checkSelector } from '../../src/elements/check-selector.ts';

describe('a selector of a rule', () => {
  it.each([
    'a',
    'my-element',
    '#id .class > a + b ~ c',
    '.a\\:b, .\\31 a',
    'a[href="c;1.2" i]',
    'div:has(> img)',
    'li:nth-child(2n + 1 of .x)',
    ':is(h1, h2):not(.x):first-of-type',
    'input:checked',
    '.-a.--b._c',
  ])('is fine: %s', (selector) => {
    expect(checkSelector(selector)).toBeNull();
  });

  it.each([
    '',
    ' ',
    'a >',
    '> a',
    'a,',
    'a(',
    '[a',
    'a]',
    '#1a',
    '.1a',
    '..a',
    'a;b',
    'a{}',
    '@a',
    'a:not()',
    'a:is(> b)',
  ])('is refused when it is none: %j', (selector) => {
    expect(checkSelector(selector)).toBe('This is not a CSS selector');
  });

  it.each(['a < b', 'a || b', 'svg|a', '[a!=b]', 'li:nth-child(x)', 'li:nth-child'])(
    'is refused when only other dialects know it: %s',
    (selector) => {
      expect(checkSelector(selector)).toBe('This is not a CSS selector');
    },
  );

  it('is refused when the page and a stored result would disagree about it', () => {
    expect(checkSelector('a:hover')).toBe(':hover cannot be used in rules');
    expect(checkSelector('ul > :is(li:contains(x))')).toBe(':contains cannot be used in rules');
    expect(checkSelector('a::before')).toBe('::before is a part of an element, which rules cannot name');
  });
});
