import { describe, expect, it } from '@jest/globals';
import type { recognizeWall } from '../../../src/net/recognize-wall.ts';
import { looksLikeHtml } from '../../../src/pages/crawl/decode-text.ts';
import type { readHtml } from '../../../src/pages/crawl/read-html.ts';
import type { readSitemap } from '../../../src/pages/crawl/read-sitemap.ts';
import { growth, LINEAR } from '../../support/growth.ts';

type Html = { readHtml: typeof readHtml };
type Sitemaps = { readSitemap: typeof readSitemap };
type Walls = { recognizeWall: typeof recognizeWall };

/** What stands in a list is repeated. */
type Text = (string | [string])[];

const HTML: [string, Text][] = [
  ['a refresh of spaces', ['<meta http-equiv=refresh content="0;', [' '], 'url=\n">']],
  ['a refresh of digits', ['<meta http-equiv=refresh content="', ['0.'], '\n">']],
  ['elements that never end', [['<b>'], ['</i>']]],
  ['ends of elements in the wrong order', [['<b><i>'], ['</b>']]],
  ['a title of spaces', ['<title>', [' x '], '</title>']],
];

describe('text of a stranger', () => {
  it.each(HTML)('takes time by its length: %s', async (_, text) => {
    const prepare = (pages: Html, size: number, pieces: Text) => {
      const html = pieces.map((piece) => (typeof piece === 'string' ? piece : piece[0].repeat(size))).join('');
      return () => pages.readHtml(html, 'https://site.test/');
    };
    const module = import.meta.resolve('../../../src/pages/crawl/read-html.ts');
    expect(await growth(module, prepare, text)).toBeLessThan(LINEAR);
  });

  it('takes time by its length: a sitemap that is nested', async () => {
    const prepare = (sitemaps: Sitemaps, size: number) => {
      const sitemap = '<url>'.repeat(size) + '</loc>'.repeat(size);
      return () => sitemaps.readSitemap(sitemap);
    };
    const module = import.meta.resolve('../../../src/pages/crawl/read-sitemap.ts');
    expect(await growth(module, prepare)).toBeLessThan(LINEAR);
  });

  it('takes time by its length: inputs that never end', async () => {
    const prepare = (walls: Walls, size: number) => {
      const answer = { status: 401, headers: { server: 'Netlify' }, body: '<input type '.repeat(size) };
      return () => walls.recognizeWall(answer, 'https://site.test/');
    };
    const module = import.meta.resolve('../../../src/net/recognize-wall.ts');
    expect(await growth(module, prepare)).toBeLessThan(LINEAR);
  });

  it('is told for HTML after any number of comments', () => {
    expect(looksLikeHtml(`\uFEFF ${'<!---->\n'.repeat(200)}<!doctype html>`)).toBe(true);
    expect(looksLikeHtml('<!---->'.repeat(290))).toBe(false);
    expect(looksLikeHtml('<!-- <html>')).toBe(false);
  });
});
