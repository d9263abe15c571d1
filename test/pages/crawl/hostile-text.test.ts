import { describe, expect, it } from '@jest/globals';
import { recognizeWall } from '../../../src/net/recognize-wall.ts';
import { decodeText } from '../../../src/pages/crawl/decode-text.ts';
import { looksLikeHtml } from '../../../src/pages/crawl/guess-html.ts';
import { readHtml } from '../../../src/pages/crawl/read-html.ts';
import { readSitemap } from '../../../src/pages/crawl/read-sitemap.ts';
import { growth, LINEAR } from '../../support/growth.ts';

const URL_OF_PAGE = 'https://site.test/';
const html = (text: string) => readHtml(text, URL_OF_PAGE);

const READERS: [string, (size: number) => string, (text: string) => unknown][] = [
  ['a refresh of spaces', (size) => `<meta http-equiv=refresh content="0;${' '.repeat(size)}url=\n">`, html],
  ['a refresh of digits', (size) => `<meta http-equiv=refresh content="${'0.'.repeat(size)}\n">`, html],
  ['elements that never end', (size) => '<b>'.repeat(size) + '</i>'.repeat(size), html],
  ['ends of elements in the wrong order', (size) => '<b><i>'.repeat(size) + '</b>'.repeat(size), html],
  ['a title of spaces', (size) => `<title>${' x '.repeat(size)}</title>`, html],
  ['a sitemap that is nested', (size) => '<url>'.repeat(size) + '</loc>'.repeat(size), readSitemap],
  ['a sitemap of text', (size) => `https://${' '.repeat(size)}\r\r\n`, readSitemap],
  ['a content type of spaces', (size) => ' '.repeat(size), (text) => decodeText(Buffer.from('x'), `charset=${text}`)],
  [
    'inputs that never end',
    (size) => '<input type '.repeat(Math.min(size, 8000)),
    (body) => recognizeWall({ status: 401, headers: { server: 'Netlify' }, body }, URL_OF_PAGE),
  ],
];

describe('text of a stranger', () => {
  it.each(READERS)('takes time by its length: %s', (_, write, read) => {
    const grown = growth((size) => {
      const text = write(size);
      return () => void read(text);
    });
    expect(grown).toBeLessThan(LINEAR);
  });

  it('is told for HTML after any number of comments', () => {
    expect(looksLikeHtml(`\uFEFF ${'<!---->\n'.repeat(200)}<!doctype html>`)).toBe(true);
    expect(looksLikeHtml('<!---->'.repeat(290))).toBe(false);
    expect(looksLikeHtml('<!-- <html>')).toBe(false);
  });
});
