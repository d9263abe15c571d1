import { describe, expect, it } from '@jest/globals';
import { ownPath } from '../../src/http/own-path.ts';

describe('a path of our own', () => {
  it.each(['/', '/runs/1?mode=swipe', '/suites/1/pages#all'])('keeps %s', (path) => {
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
    '/%0d%0aSet-Cookie:x',
  ])('leads from %j to nobody else', (path) => {
    const led = ownPath(path);
    expect(new URL(led, 'http://pixelgate.test').origin).toBe('http://pixelgate.test');
    expect(led).not.toMatch(/^\/[/\\]|[\r\n\t]/);
  });
});
