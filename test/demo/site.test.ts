import { describe, expect, it } from '@jest/globals';
import { answer, CHANGES, NEW_PAGE, PAGES } from '../../demo/site.js';

const ORIGIN = 'http://site.example';
const html = (version: 'before' | 'after', path: string) => answer(version, path, ORIGIN)[2];

describe('the sample site', () => {
  it('differs between its versions on the planned pages only', () => {
    const differing = [...PAGES, NEW_PAGE].filter((path) => html('before', path) !== html('after', path));
    expect(differing.sort()).toEqual([...Object.keys(CHANGES), NEW_PAGE].sort());
  });

  it.each(['before', 'after'] as const)('links every page of "%s" from home, but for the new one', (version) => {
    const seen = new Set<string>();
    const waiting = ['/'];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const [status, , body] = answer(version, path, ORIGIN);
      expect([path, status]).toEqual([path, 200]);
      waiting.push(...[...body.matchAll(/<a [^>]*href="([^"#?]*)/g)].map((match) => match[1] ?? ''));
    }
    expect([...seen].sort()).toEqual([...PAGES, '/staff'].sort());
  });

  it('keeps the staff page out of its sitemap', () => {
    expect(html('after', '/robots.txt')).toBe(`User-agent: *\nDisallow: /staff\nSitemap: ${ORIGIN}/sitemap.xml\n`);
    const listed = [...html('after', '/sitemap.xml').matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => match[1]);
    expect(listed).toEqual([...PAGES, NEW_PAGE].map((path) => `${ORIGIN}${path}`));
  });
});
