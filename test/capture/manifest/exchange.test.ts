import { describe, expect, it } from '@jest/globals';
import { toExchange, type Served } from '../../../src/capture/manifest/exchange.ts';
import { findObstacles, showsAddresses } from '../../../src/capture/manifest/find-obstacles.ts';
import { combineRecorded, sortExchanges } from '../../../src/capture/manifest/manifest.ts';
import { atPlace, withoutPlace } from '../../../src/capture/manifest/places.ts';
import { siteBase } from '../../../src/net/site-base.ts';

const SITE = siteBase('https://site.example/docs/');
const PREVIEW = siteBase('https://pr-7.preview.example/build/');
const onSite = { base: SITE, site: SITE };
const onPreview = { base: PREVIEW, site: SITE };

const served = (url: string, text: string, answered: Record<string, string> = {}, kind = 'document'): Served => ({
  url,
  kind,
  asked: { 'user-agent': 'A browser', accept: '*/*', host: 'x', cookie: 'secret=1' },
  status: 200,
  answered: { 'content-type': 'text/html; charset=utf-8', ...answered },
  body: Buffer.from(text),
});

const ofSite = (text: string, answered?: Record<string, string>) =>
  toExchange(onSite, served('https://site.example/docs/a', text, answered));
const ofPreview = (text: string, answered?: Record<string, string>) =>
  toExchange(onPreview, served('https://pr-7.preview.example/build/a', text, answered));

describe('an address without its place', () => {
  it.each([
    'https://site.example/docs/a?b#c',
    'https://site.example/other',
    'https://site.example',
    'https://cdn.example/x',
  ])('can be put back: %s', (url) => {
    expect(atPlace(onSite, withoutPlace(onSite, url))).toBe(url);
  });

  it('is the same on a preview', () => {
    expect(withoutPlace(onSite, 'https://site.example/docs/a')).toBe(
      withoutPlace(onPreview, 'https://pr-7.preview.example/build/a'),
    );
    expect(withoutPlace(onSite, 'https://site.example.evil/docs/a')).toBe('https://site.example.evil/docs/a');
  });
});

describe('what a preview serves', () => {
  it.each([
    ['its own address', '<a href="https://site.example/docs/b">', '<a href="https://pr-7.preview.example/build/b">'],
    ['its own path', '<img src="/docs/b.png">', '<img src="/build/b.png">'],
    [
      'the address of the site where it only names it',
      '<link rel="canonical" href="https://site.example/docs/a">',
      '<link rel="canonical" href="https://site.example/docs/a">',
    ],
    [
      'the address of the site where it names the page after it',
      '<link rel="next" href="https://site.example/docs/b"><link href="https://site.example/docs/" rel="prev">',
      '<link rel="next" href="https://site.example/docs/b"><link href="https://site.example/docs/" rel="prev">',
    ],
    ['a token', '<meta name="csrf-token" content="abc">', '<meta name="csrf-token" content="def">'],
    [
      'a hidden token',
      '<input type="hidden" name="authenticity_token" value="abc">',
      '<input type="hidden" name="authenticity_token" value="def">',
    ],
  ])('is the same with %s', (_what, before, after) => {
    expect(ofPreview(after)).toEqual(ofSite(before));
  });

  it.each([
    ['another text', 'Before', 'After'],
    [
      'its own address for all to see',
      '<p>https://site.example/docs/</p>',
      '<p>https://pr-7.preview.example/build/</p>',
    ],
    [
      'its own address in a field',
      '<input value="https://site.example/docs/">',
      '<input value="https://pr-7.preview.example/build/">',
    ],
    [
      'its own address in a tag that is shown',
      '<textarea><img src="https://site.example/docs/a"></textarea>',
      '<textarea><img src="https://pr-7.preview.example/build/a"></textarea>',
    ],
    [
      'a style sheet that only looks like a name',
      '<link rel="stylesheet canonical" href="https://site.example/docs/a.css">',
      '<link rel="stylesheet canonical" href="https://site.example/docs/a.css">',
    ],
    ['a link to the site that was one to itself', '<a href="https://site.example/docs/b">', '<a href="/docs/b">'],
    ['a token that is shown', '<input name="csrf_token" value="abc">', '<input name="csrf_token" value="def">'],
    [
      'a picture of the site',
      '<img src="https://site.example/docs/b.png">',
      '<img src="https://site.example/docs/b.png">',
    ],
    ['a nonce that no policy names', '<style nonce="abc">', '<style nonce="def">'],
  ])('is another with %s', (_what, before, after) => {
    expect(ofPreview(after).body).not.toBe(ofSite(before).body);
  });

  it('is the same with another nonce, if its policy names it', () => {
    const page = (nonce: string) => `<style nonce="${nonce}">p { color: red }</style>`;
    const policy = (nonce: string) => ({ 'content-security-policy': `style-src 'nonce-${nonce}'` });
    expect(ofPreview(page('def'), policy('def'))).toEqual(ofSite(page('abc'), policy('abc')));
    expect(ofPreview(page('def'), policy('abc'))).not.toEqual(ofSite(page('abc'), policy('abc')));
  });

  it('is told by the headers that browsers draw by, and by no others', () => {
    expect(ofPreview('a', { etag: '"2"', date: 'now', 'x-served-by': 'host 2' })).toEqual(ofSite('a', { etag: '"1"' }));
    const drawn = ['content-security-policy', 'refresh', 'content-disposition', 'x-frame-options', 'link'];
    for (const header of [...drawn, 'document-isolation-policy', 'connection-allowlist']) {
      expect(ofPreview('a', { [header]: 'b' })).not.toEqual(ofSite('a'));
    }
    expect(ofPreview('a', { 'content-type': 'text/plain' })).not.toEqual(ofSite('a'));
    expect(ofPreview('a', { 'content-type': 'text/html;charset=UTF-8' })).toEqual(ofSite('a'));
  });

  it('is the same style sheet with another name of its encoding, if all encodings read it alike', () => {
    const style = (type: string, text: string) =>
      toExchange(onSite, served('https://site.example/docs/a.css', text, { 'content-type': type }, 'stylesheet'));
    const [plain, named] = ['text/css', 'text/css; charset=UTF-8'];
    expect(style(named, 'p { color: red }')).toEqual(style(plain, 'p { color: red }'));
    expect(style(named, 'p::after { content: "é" }')).not.toEqual(style(plain, 'p::after { content: "é" }'));
    expect(style('text/css; charset=utf-16', 'p { color: red }')).not.toEqual(style(plain, 'p { color: red }'));
  });

  it('is told by every byte of an image, whatever type it is served as', () => {
    const image = (...bytes: number[]) => {
      const of = served('https://site.example/docs/a.gif', '', { 'content-type': 'text/plain' }, 'image');
      return toExchange(onSite, { ...of, body: Buffer.from(bytes) }).body;
    };
    expect(image(0xff)).not.toBe(image(0x80));
    expect(image(0xef, 0xbb, 0xbf, 0x41)).toBe(image(0x41));
  });

  it('is kept without cookies and without what passes the walls of the site', () => {
    const { asked } = toExchange(onSite, served('https://site.example/docs/a', ''), { own: ['accept'] });
    expect(asked).toEqual({ 'user-agent': 'A browser' });
  });
});

describe('a page whose styles show addresses', () => {
  it('is compared with its addresses as they are', () => {
    const style = served('https://site.example/docs/a.css', 'a::after { content: attr(href) }', {}, 'stylesheet');
    expect(showsAddresses([style])).toBe(true);
    expect(showsAddresses([served('https://site.example/docs/a', '<p>content: attr(href)</p>')])).toBe(false);
    const [before, after] = [
      '<a href="https://site.example/docs/b">',
      '<a href="https://pr-7.preview.example/build/b">',
    ];
    const one = toExchange(onSite, served('https://site.example/docs/a', before), { literal: true });
    const other = toExchange(onPreview, served('https://pr-7.preview.example/build/a', after), { literal: true });
    expect(other.body).not.toBe(one.body);
  });
});

describe('what forbids a proof', () => {
  const page = (text: string, answered: Record<string, string> = {}) =>
    findObstacles([served('https://site.example/docs/a', text, answered)], []);

  it.each([
    ['<script src="a.js"></script>'],
    ['<SCRIPT>1</SCRIPT>'],
    ['<script data-a="b" type="module">1</script>'],
    ['<script data-a=\'" type="application/json" \'>1</script>'],
    ['<svg/onload=alert(1)>'],
    ['<img src=x onerror = "a()">'],
    ['<iframe src="JavaScript:1">'],
    ['<meta http-equiv="refresh" content="1">'],
    ['<meta content="1" http-equiv=Refresh>'],
    ['<video src="a.mp4">'],
    ['<svg><animate attributeName="x"/></svg>'],
  ])('stands in the document: %s', (text) => {
    expect(page(text)).toHaveLength(1);
  });

  it.each([
    ['<p>update only = 1; onion = 2</p>'],
    ['<script type="application/ld+json">{}</script>'],
    ['<script id="a" type="application/json">{}</script>'],
    ['<meta http-equiv="Content-Type" content="text/html; charset=utf-8"><settings>'],
    ['&lt;script&gt;'],
    ['Umlauts: äöü'],
  ])('does not stand in %s', (text) => {
    expect(page(text)).toEqual([]);
  });

  it('is a style that draws by chance', () => {
    const style = (text: string) =>
      findObstacles(
        [{ ...served('https://site.example/docs/a.css', text, { 'content-type': 'text/css' }), kind: 'stylesheet' }],
        [],
      );
    expect(style('p { width: random(1px, 9px) }')).toHaveLength(1);
    expect(style('p { width: calc(2*random(1px, 9px)) }')).toHaveLength(1);
    expect(style('p { width: var(--no-random(1px)) }')).toEqual([]);
    expect(style('td::before { content: attr(data-label) }')).toEqual([]);
    expect(page('<style>p { width: random(1px, 9px) }</style>')).toHaveLength(1);
    expect(page('<p>select random()</p>')).toEqual([]);
    expect(page('<style>p { color: red }</style><code>Math.random()</code>')).toEqual([]);
  });

  it('is what another place of the page could not load', () => {
    const of = { ...served('https://cdn.site.example/a.png', '', { 'content-type': 'image/png' }), kind: 'image' };
    expect(findObstacles([{ ...of, asked: { 'sec-fetch-site': 'same-site' } }], [])).toHaveLength(1);
    const answered = { ...of.answered, 'cross-origin-resource-policy': 'same-site' };
    expect(findObstacles([{ ...of, answered }], [])).toHaveLength(1);
  });

  it('is text that the browser may read otherwise', () => {
    const found = (text: string, type: string) => page(text, { 'content-type': type });
    expect(found('é', 'text/html; charset=iso-8859-1')).toHaveLength(1);
    expect(found('é', 'text/html')).toHaveLength(1);
    expect(found('<meta charset="utf-8">é', 'text/html')).toEqual([]);
    expect(found('<!-- <meta charset="utf-8"> -->\uFFFD', 'text/html')).toHaveLength(1);
    expect(found('e', 'text/html; charset=iso-8859-1')).toEqual([]);
    expect(found('e', 'text/html; charset=utf-16le')).toHaveLength(1);
    expect(found('\u001B$B', 'text/html; charset=iso-2022-jp')).toHaveLength(1);
    expect(found('e', 'application/xhtml+xml')).toHaveLength(1);
    const own = (text: string, type: string, kind: string) =>
      findObstacles(
        [
          served('https://site.example/docs/a', 'a'),
          served('https://site.example/docs/b', text, { 'content-type': type }, kind),
        ],
        [],
      );
    expect(own('@charset "iso-8859-1"; p::after { content: "é" }', 'text/css', 'stylesheet')).toHaveLength(1);
    expect(own('@charset "UTF-8"; p::after { content: "é" }', 'text/css', 'stylesheet')).toEqual([]);
    expect(own("<?xml version='1.0' encoding='latin1'?><svg>é</svg>", 'image/svg+xml', 'image')).toHaveLength(1);
    expect(own('<?xml version="1.0" encoding="utf-8"?><svg>é</svg>', 'image/svg+xml', 'image')).toEqual([]);
  });

  it.each(['set-cookie', 'refresh', 'accept-ch', 'clear-site-data', 'origin-trial'])('is the header %s', (header) => {
    expect(page('a', { [header]: 'b' })).toEqual([`the header ${header}`]);
  });

  it('is a request with a header that nobody knows, or of a kind that only scripts make', () => {
    const strange = { ...served('https://site.example/docs/a', 'a'), asked: { 'x-requested-with': 'a' } };
    expect(findObstacles([strange], [])).toHaveLength(1);
    expect(findObstacles([strange], ['x-requested-with'])).toEqual([]);
    expect(findObstacles([{ ...served('https://site.example/docs/a', '{}'), kind: 'fetch' }], [])).toHaveLength(1);
  });
});

describe('what a page is made of', () => {
  it('has each exchange once, in an order of its own', () => {
    const [one, two] = [ofSite('a'), toExchange(onSite, served('https://site.example/docs/0', 'a'))];
    expect(sortExchanges([one, two, one])).toEqual({ exchanges: [two, one], twice: false });
    expect(sortExchanges([one, ofSite('b')]).twice).toBe(true);
  });

  it('proves nothing where it is served differently from load to load', () => {
    const load = (text: string) => ({ exchanges: [ofSite(text)], literal: false, obstacles: [] });
    expect(combineRecorded([load('a'), load('a')])).toEqual(load('a'));
    expect(combineRecorded([load('a'), load('b')])?.obstacles).toHaveLength(1);
    expect(combineRecorded([])).toBeNull();
  });
});
