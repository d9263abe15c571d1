import { describe, expect, it } from '@jest/globals';
import { toExchange } from '../../../src/capture/manifest/exchange.ts';
import { showsAddresses } from '../../../src/capture/manifest/find-obstacles.ts';
import { siteBase } from '../../../src/net/site-base.ts';

const SITE = siteBase('https://www.site.example/');
const PREVIEW = siteBase('https://pr-7.preview.example/');
const FOLDER = siteBase('https://previews.example/pr-7/');

type Text = (origin: string) => string;
type At = { site?: typeof SITE; preview?: typeof SITE; kind?: string; literal?: boolean };

/** Whether the site and its preview serve the same. */
function isSame(text: Text, { site = SITE, preview = PREVIEW, kind = 'document', literal = false }: At = {}): boolean {
  const [one, other] = [site, preview].map((base) => {
    const answered = { 'content-type': kind === 'document' ? 'text/html; charset=utf-8' : 'text/css' };
    const body = Buffer.from(text(base.origin));
    return toExchange(
      { base, site },
      { url: `${base.origin}${base.path}a`, kind, asked: {}, status: 200, answered, body },
      { literal },
    ).body;
  });
  return one === other;
}

describe('an address that is shown', () => {
  it.each([
    ['in a tag in a style', (origin) => `<style>/* <a href="${origin}/"> */</style>`],
    ['in a tag in a title', (origin) => `<title><a href="${origin}/"></title>`],
    ['in tags for browsers without frames', (origin) => `<noframes><a href="${origin}/">Home</a></noframes>`],
  ] satisfies [string, Text][])('is compared as it is: %s', (_what, text) => {
    expect(isSame(text)).toBe(false);
  });
});

describe('an address that is another one at the preview', () => {
  it('begins after many spaces', () => {
    const image = `<img srcset="\n${' '.repeat(40)}/b.png 2x">`;
    expect(isSame(() => image, { preview: FOLDER })).toBe(false);
  });

  it('has its server in the letters of its language', () => {
    const site = siteBase('https://müller.example/');
    expect(isSame(() => '<img src="https://müller.example/a.png">', { site })).toBe(false);
    expect(isSame(() => '<img src="https://m%C3%BCller.example:443/a.png">', { site })).toBe(false);
    expect(isSame(() => '<img src="https://möller.example/a.png">', { site })).toBe(true);
  });

  it('is in a drawing of which the page uses a part', () => {
    expect(isSame(() => '<svg><image href="https://www.site.example/a.png"/></svg>', { kind: 'other' })).toBe(false);
    expect(isSame(() => '<svg><image href="a.png"/></svg>', { kind: 'other' })).toBe(true);
  });

  it('is none in a comment', () => {
    const style = 'p { color: red; /* red */\n\n/* green */ }';
    expect(isSame(() => style, { preview: FOLDER, kind: 'stylesheet' })).toBe(true);
  });
});

describe('a style that shows what is left out of the comparison', () => {
  const shows = (text: string) =>
    showsAddresses([
      { url: 'https://a.example', kind: 'stylesheet', asked: {}, status: 200, answered: {}, body: Buffer.from(text) },
    ]);

  it.each([
    'a::after { content: attr(/**/href) }',
    'a::after { content: attr(href/**/) }',
    'a::after { content: attr( href ) }',
    String.raw`a::after { content: attr(\68 ref) }`,
    'a[/**/href^="https:"] { color: red }',
    'a[href/**/^="https:"] { color: red }',
    'a[xlink|/**/href^="https:"] { color: red }',
    String.raw`a[h\72 ef^="https:"] { color: red }`,
    'meta::after { content: attr(content) }',
    'input[value="a"] + p { color: red }',
    'p::after { content: "url(https://a.example/)" }',
    `p::after { content: 'An "image": url(https://a.example/)' }`,
  ])('is known: %s', (style) => {
    expect(shows(style)).toBe(true);
  });

  it.each([
    'a[href], td::before { content: attr(data-label) }',
    String.raw`.w-\[10px\], .\[\&\>p\]\:m-2, .content-\[attr\(href\)\] { width: 10px }`,
    String.raw`i::before { content: "\e900"; background: url("a.png") }`,
    '@font-face { src: url(a.woff2) format("woff2"), url("a.woff") format("woff") }',
  ])('is not %s', (style) => {
    expect(shows(style)).toBe(false);
  });

  it('has tokens compared as they are', () => {
    const token = (origin: string) => `<meta name="csrf-token" content="${origin}">`;
    expect(isSame(token)).toBe(true);
    expect(isSame(token, { literal: true })).toBe(false);
  });
});
