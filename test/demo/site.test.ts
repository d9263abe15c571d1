import { describe, expect, it } from '@jest/globals';
import { FORBIDDEN_PATH, SITE_CHANGES } from '../../src/demo/site-changes.ts';
import type { SiteVersion } from '../../src/demo/site-changes.ts';
import { buildPages } from '../../src/demo/demo-pages.ts';
import { buildAnswer } from '../../src/demo/site.ts';

const ORIGIN = 'http://site.example';
const html = (version: SiteVersion, path: string) => buildAnswer(version, path, ORIGIN).body;
const pathsOf = (version: SiteVersion) => buildPages(version).map((page) => page.path);
const linksIn = (text: string) => [...text.matchAll(/<a [^>]*href="([^"#?]*)/g)].map((match) => match[1]);

describe('the demonstration site', () => {
  it('has twelve pages before and one more after', () => {
    expect(pathsOf('before')).toHaveLength(12);
    expect(new Set(pathsOf('after'))).toEqual(new Set([...pathsOf('before'), '/journal/night-swim']));
  });

  it('differs between its versions on the planned pages only', () => {
    const differing = pathsOf('after').filter((path) => html('before', path) !== html('after', path));
    expect(differing.sort()).toEqual(Object.keys(SITE_CHANGES).sort());
  });

  it('changes a color, a text and the amount of content, each on one page', () => {
    expect(html('before', '/prices').length).toBe(html('after', '/prices').length);
    expect(html('before', '/prices').replace('#4b3f72', '#1f6f63')).toBe(html('after', '/prices'));
    expect(html('after', '/journal')).toContain('The piano has been tuned');
    expect(html('after', '/cabins').length).toBeGreaterThan(html('before', '/cabins').length + 200);
  });

  it.each(['before', 'after'] as const)('reaches every page of "%s" from home, but for the new one', (version) => {
    const seen = new Set<string>();
    const waiting = ['/'];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const answer = buildAnswer(version, path, ORIGIN);
      expect([path, answer.status]).toEqual([path, 200]);
      waiting.push(...linksIn(answer.body).flatMap((link) => link ?? []));
    }
    expect([...seen].sort()).toEqual([...pathsOf('before'), FORBIDDEN_PATH].sort());
  });

  it('lists every page in its sitemap, on its own origin, and keeps the staff page out of it', () => {
    const listed = [...html('after', '/sitemap.xml').matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => match[1]);
    expect(listed).toEqual(pathsOf('after').map((path) => `${ORIGIN}${path}`));
    expect(html('after', '/robots.txt')).toContain(`Disallow: ${FORBIDDEN_PATH}\nSitemap: ${ORIGIN}/sitemap.xml`);
  });

  it('asks for nothing outside itself', () => {
    for (const path of [...pathsOf('after'), '/site.css']) {
      expect(html('after', path)).not.toMatch(/(src|href)="(https?:)?\/\/|url\(['"]?(https?:)?\/\/|@import/);
    }
  });

  it('answers 404 to anything else, without repeating it', () => {
    const answer = buildAnswer('before', '/<b>no</b>', ORIGIN);
    expect(answer.status).toBe(404);
    expect(answer.body).not.toContain('<b>no</b>');
    expect(buildAnswer('before', '/journal/night-swim', ORIGIN).status).toBe(404);
  });

  it('names each gradient once a page', () => {
    for (const path of pathsOf('after')) {
      const names = [...html('after', path).matchAll(/linearGradient id="([^"]+)"/g)].map((match) => match[1]);
      expect([path, new Set(names).size]).toEqual([path, names.length]);
    }
  });
});
