import { describe, expect, it } from '@jest/globals';
import { globsForPage, rulesForPage } from '../../../src/suites/config/page-rule.ts';

const applies = (of: string, to: string) =>
  rulesForPage([{ paths: globsForPage(of), ignore: ['p'] }], { path: to, viewport: 'desktop' }).ignore.length > 0;

describe('the globs for one page', () => {
  it.each(['/', '/docs', '/docs/', '/docs/a-b', '/a/{b,c}/d', '/x?q=1&r={2}', '/[id]/*', '/!important'])(
    'match %s itself',
    (path) => {
      expect(applies(path, path)).toBe(true);
    },
  );

  it.each(['/', '/docs', '/docs/'])('of %s match it with a query', (path) => {
    expect(applies(path, `${path}?q=1`)).toBe(true);
  });

  it.each([
    ['/', '/docs'],
    ['/docs', '/docs/guide'],
    ['/docs', '/docs/guide/start'],
    ['/docs/', '/docs/guide'],
    ['/docs', '/docs-old'],
    ['/docs', '/'],
    ['/x?q=1', '/x?q=2'],
    ['/x?q=1', '/x?q=1/2'],
    ['/a/{b}', '/a/{b}/c'],
  ])('of %s do not match %s', (path, other) => {
    expect(applies(path, other)).toBe(false);
  });
});

describe('the globs of a rule', () => {
  const matches = (paths: string[], path: string) =>
    rulesForPage([{ paths, ignore: ['p'] }], { path, viewport: 'desktop' }).ignore.length > 0;

  it.each([
    [['/blog/**', '!/blog/archive/**'], '/blog/archive'],
    [['**', '!/checkout'], '/checkout'],
    [['!/checkout'], '/checkout'],
  ])('%j leave out %s whatever its query', (paths, path) => {
    expect([matches(paths, path), matches(paths, `${path}?page=2`)]).toEqual([false, false]);
  });

  it.each([
    [['**', '!/shop?view=*'], '/shop'],
    [['**', '!/shop/?view=print'], '/shop/'],
    [['**', '!/?view=*'], '/'],
    [['/shop', '/shop/', '/', '!/shop?view=print', '!/shop/?view=print', '!/?view=print'], '/shop/'],
  ])('%j leave out a query of %s, and no other one', (paths, path) => {
    const queries = ['', '?view=print', '?page=2'];
    expect(queries.map((query) => matches(paths, `${path}${query}`))).toEqual([true, false, true]);
  });

  it('may have characters that paths have encoded', () => {
    expect(matches(['/東京/**'], '/%E6%9D%B1%E4%BA%AC/a')).toBe(true);
    expect(matches(['/東京/**'], '/%E4%BA%AC/a')).toBe(false);
  });

  it('may name a query of a path that they leave out', () => {
    const paths = ['**', '!/list', '/list?page=2'];
    expect([matches(paths, '/list?page=1'), matches(paths, '/list?page=2')]).toEqual([false, true]);
  });
});
