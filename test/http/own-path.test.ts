import { describe, expect, it } from '@jest/globals';
import { ownPath } from '../../src/http/own-path.ts';

describe('a path of our own', () => {
  it.each(['/', '/runs/1?mode=swipe', '/suites/1/pages#all', '/%0d%0aSet-Cookie:x'])('keeps %s', (path) => {
    expect(ownPath(path)).toBe(path);
  });

  it.each([
    null,
    undefined,
    '',
    'runs/1',
    '//evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/./\\evil.example',
    '%2F%2Fevil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\t/evil.example/runs/1',
    '/\t/[',
  ])('leads from %j to the start page', (path) => {
    expect(ownPath(path)).toBe('/');
  });
});
