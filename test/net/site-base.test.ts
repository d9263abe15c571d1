import { describe, expect, it } from '@jest/globals';
import { addressAt, addressOnSite, isBelow, isSameBase, nameBase, siteBase } from '../../src/net/site-base.ts';

describe('the base of a site', () => {
  it.each([
    ['https://a.test', '/'],
    ['https://a.test/', '/'],
    ['https://a.test/index.html', '/'],
    ['https://a.test/repo', '/repo/'],
    ['https://a.test/repo/', '/repo/'],
    ['https://a.test/repo//', '/repo/'],
    ['https://a.test/repo/?lang=de#top', '/repo/'],
    ['https://a.test/docs/index.html', '/docs/'],
    ['https://a.test/docs/Start.HTM?x', '/docs/'],
    ['https://a.test/docs/v1.2', '/docs/v1.2/'],
    ['https://a.test/a//b/', '/a//b/'],
    ['https://a.test/a/../b', '/b/'],
    ['https://a.test/%7Eme/caf%c3%a9', '/~me/caf%C3%A9/'],
  ])('of %s is %s', (url, path) => {
    expect(siteBase(url)).toEqual({ origin: 'https://a.test', path });
  });

  it('is the same whatever its scheme, and not on another host or below another path', () => {
    const base = siteBase('https://a.test/repo');
    expect(isSameBase(base, siteBase('http://A.test/repo/index.html'))).toBe(true);
    for (const other of [
      'https://b.test/repo',
      'https://a.test/repo/pr-7',
      'https://a.test/',
      'https://a.test:8443/repo',
    ])
      expect(isSameBase(base, siteBase(other))).toBe(false);
  });

  it('has a name', () => {
    expect(nameBase('https://a.test:8443/')).toBe('a.test:8443');
    expect(nameBase('https://a.test/pr-7/?x')).toBe('a.test/pr-7');
  });
});

describe('a page at another base', () => {
  const at = (base: string, site: string, path: string) => addressAt(siteBase(base), siteBase(site), path);

  it.each([
    ['https://p.test/', 'https://s.test', '/a?b=1', 'https://p.test/a?b=1'],
    ['https://s.test/pr/7', 'https://s.test', '/', 'https://s.test/pr/7/'],
    ['https://s.test/pr/7/', 'https://s.test', '/a/', 'https://s.test/pr/7/a/'],
    ['https://s.test/pr/7', 'https://s.test', '//evil.test/x', 'https://s.test/pr/7//evil.test/x'],
    ['https://s.test/pr/7?x#y', 'https://s.test', '/?q=/a', 'https://s.test/pr/7/?q=/a'],
    ['https://p.test', 'https://s.test/repo', '/repo/a', 'https://p.test/a'],
    ['https://p.test/pr-7', 'https://s.test/repo/', '/repo/a%20b/c.html', 'https://p.test/pr-7/a%20b/c.html'],
    ['https://p.test/pr-7', 'https://s.test/repo/', '/repo', 'https://p.test/pr-7/'],
    ['https://p.test/pr-7', 'https://s.test/repo/', '/repo?x=1', 'https://p.test/pr-7/?x=1'],
    ['https://p.test/repo/', 'https://s.test/repo/', '/repo/a', 'https://p.test/repo/a'],
    ['https://p.test', 'https://s.test/docs/index.html', '/docs/a', 'https://p.test/a'],
    ['https://p.test', 'https://s.test/%7Eme', '/~me/a', 'https://p.test/a'],
  ])('at %s, of %s: %s is %s', (base, site, path, address) => {
    expect(at(base, site, path)).toBe(address);
  });

  it.each(['/', '/a', '/repository/a', '/repo-2', '/Repo/a'])('is not there if its path is %s, outside', (path) => {
    expect(at('https://p.test/pr-7', 'https://s.test/repo', path)).toBeNull();
  });
});

describe('an address', () => {
  it.each([
    ['https://s.test/pr-7', true],
    ['http://s.test/pr-7/', true],
    ['https://s.test/pr-7/a?b#c', true],
    ['https://s.test/pr-7?b', true],
    ['https://s.test/', false],
    ['https://s.test/a', false],
    ['https://s.test/pr-70/', false],
    ['https://s.test/x/pr-7/', false],
    ['https://t.test/pr-7/', false],
  ])('%s is below a preview: %s', (url, expected) => {
    expect(isBelow(siteBase('https://s.test/pr-7/'), url)).toBe(expected);
  });

  it.each([
    ['/pr-7/logo.png', '/repo/logo.png'],
    ['/pr-7', '/repo/'],
    ['/pr-7#top', '/repo/#top'],
    ['https://p.test/pr-7/a b.png', 'https://s.test/repo/a b.png'],
    ['//p.test/pr-7/x', 'https://s.test/repo/x'],
    ['logo.png', 'logo.png'],
    ['/other/logo.png', '/other/logo.png'],
    ['https://cdn.test/pr-7/logo.png', 'https://cdn.test/pr-7/logo.png'],
    ['data:image/png;base64,/pr-7/', 'data:image/png;base64,/pr-7/'],
    ['https://[/x', 'https://[/x'],
    ['', ''],
  ])('that a preview writes as %s is %s on the site', (address, expected) => {
    expect(addressOnSite(siteBase('https://p.test/pr-7'), siteBase('https://s.test/repo'), address)).toBe(expected);
  });
});
