import { describe, expect, it } from '@jest/globals';
import { encodeTyped, namePlace, readablePath } from '../../src/text/readable-path.ts';

describe('a path for people', () => {
  it.each([
    ['/%E6%9D%B1%E4%BA%AC/a', '/東京/a'],
    ['/%D8%B3%D8%B9%D8%B1?q=%C3%A9', '/سعر?q=é'],
    ['/%F0%9F%8E%89', '/🎉'],
  ])('has the characters of %s', (path, shown) => {
    expect(readablePath(path)).toBe(shown);
    expect(encodeTyped(shown)).toBe(path);
  });

  it.each([
    ['a slash, a space or a percent sign', '/a%2Fb%20c%25E6'],
    ['what is no UTF-8', '/%E9t%E9'],
    ['what cannot be seen', '/a%C2%A0%E2%80%8B'],
    ['what changes the direction of text', '/a%E2%80%AEb'],
  ])('leaves %s as it is', (_what, path) => {
    expect(readablePath(path)).toBe(path);
  });
});

it('names where a screenshot is from', () => {
  expect(namePlace({ path: '/%E6%9D%B1%E4%BA%AC', viewport: 'desktop' })).toBe('/東京 at desktop');
});
