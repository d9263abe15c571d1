import { describe, expect, it } from '@jest/globals';
import { toExchange, type Served } from '../../../src/capture/manifest/exchange.ts';
import { findObstacles, showsAddresses } from '../../../src/capture/manifest/find-obstacles.ts';
import { atPlace, withoutPlace } from '../../../src/capture/manifest/places.ts';
import { siteBase } from '../../../src/net/site-base.ts';

const SITE = siteBase('https://www.site.example/');
const PREVIEW = siteBase('https://pr-7.preview.example/');

const served = (origin: string, text: string, answered: Record<string, string>, kind: string): Served => ({
  url: `${origin}/a`,
  kind,
  asked: {},
  status: 200,
  answered: { 'content-type': kind === 'document' ? 'text/html; charset=utf-8' : 'text/css', ...answered },
  body: Buffer.from(text),
});

type Text = (origin: string) => string;

const both = (text: Text, policy: Text = () => '', options = {}, kind = 'document') =>
  [SITE, PREVIEW].map((base) => {
    const answered = { 'content-security-policy': policy(base.origin) };
    return toExchange({ base, site: SITE }, served(base.origin, text(base.origin), answered, kind), options);
  });

const isSame = (exchanges: unknown[]) => JSON.stringify(exchanges[0]) === JSON.stringify(exchanges[1]);

const tag = (policy: string) => `<meta http-equiv="Content-Security-Policy" content="${policy}">`;

describe('a policy that a server is named in', () => {
  it.each([
    ['img-src www.site.example', false],
    ['img-src *.site.example/pictures/', false],
    ['img-src https://*.preview.example:443', false],
    ["img-src 'self' data: *.cdn.example fonts.example site.example www.site.example:8443", true],
  ])('allows something else on another: %s', (policy, same) => {
    expect(
      isSame(
        both(
          () => '',
          () => policy,
        ),
      ),
    ).toBe(same);
    expect(isSame(both(() => tag(policy)))).toBe(same);
  });

  it('allows the same where each server names itself', () => {
    const policy: Text = (origin) => `img-src ${origin}`;
    expect(isSame(both(() => '', policy))).toBe(true);
  });
});

describe('a nonce of the policy', () => {
  const page = (nonce: string) => `<style${nonce}>p { color: red }</style>`;
  const policy = (one: string, other: string) => `style-src 'nonce-${one}'; font-src 'nonce-${other}'`;
  const of = (nonce: string, one: string, other: string) =>
    both(
      () => page(nonce),
      () => policy(one, other),
    )[0];

  it('applies to the style that has it, not to one without a nonce, or with the nonce of something else', () => {
    expect(of(' nonce="a"', 'a', 'b')).toEqual(of(' nonce="c"', 'c', 'd'));
    expect(of('', 'c', 'd')).not.toEqual(of(' nonce="a"', 'a', 'b'));
    expect(of(' nonce="d"', 'c', 'd')).not.toEqual(of(' nonce="a"', 'a', 'b'));
  });
});

describe('an address that is shown', () => {
  it.each([
    ['in a tag in a field', (origin) => `<input value='<img src="${origin}/a">'>`],
    ['in the code of a tag in a field', (origin) => `<input value="&lt;img src=&quot;${origin}/a&quot;&gt;">`],
    ['in an example of an attribute', (origin) => `<input placeholder = 'src="${origin}/a"'>`],
    ['in a tag in a placeholder', (origin) => `<input placeholder="<a href='${origin}/a'>">`],
    ['in data', (origin) => `<svg><text><![CDATA[<a href="${origin}/a">]]></text></svg>`],
    ['at another port, which is another server', (origin) => `<img src="${origin}:8443/a.png">`],
  ] satisfies [string, Text][])('is compared as it is: %s', (_what, text) => {
    expect(isSame(both(text))).toBe(false);
  });
});

describe('an address in another one', () => {
  const SUB = {
    site: siteBase('https://www.site.example/docs/'),
    preview: siteBase('https://pr-7.preview.example/build/'),
  };

  it('is asked for at the preview, too', () => {
    const onSite = { base: SITE, site: SITE };
    const onPreview = { base: PREVIEW, site: SITE };
    const proxied: Text = (origin) => `https://cdn.example/image/width=400/${origin}/a.png?or=${origin}`;
    const name = withoutPlace(onSite, proxied(SITE.origin));
    expect(atPlace(onSite, name)).toBe(proxied(SITE.origin));
    expect(atPlace(onPreview, name)).toBe(proxied(PREVIEW.origin));
  });

  it('is compared as it is where it begins at the root', () => {
    const { site, preview } = SUB;
    const image = (base: typeof SITE, text: (path: string) => string) =>
      toExchange({ base, site }, served(base.origin, text(base.path), {}, 'document')).body;
    const unquoted = (path: string) => `<img src=${path}a.png>`;
    expect(image(preview, unquoted)).toBe(image(site, unquoted));
    const inQuery = (path: string) => `<img src="/image?of=${path}a.png">`;
    expect(image(preview, inQuery)).not.toBe(image(site, inQuery));
  });
});

describe('a page that depends on its addresses', () => {
  const shows = (text: string, kind: string) => showsAddresses([served(SITE.origin, text, {}, kind)]);

  it('has styles for links to some servers, or checksums', () => {
    expect(shows('a[href^="http"]:not([href*="site.example"])::after { content: "↗" }', 'stylesheet')).toBe(true);
    expect(shows('a[ xlink|href $= ".pdf" ] { color: red }', 'stylesheet')).toBe(true);
    expect(shows('<link rel="stylesheet" href="a.css" integrity="sha384-a">', 'document')).toBe(true);
    expect(shows('a[target="_blank"], a:not([href]) { color: red }', 'stylesheet')).toBe(false);
  });

  it('is compared with the addresses of its style sheets as they are', () => {
    const style: Text = (origin) => `p { background: url(${origin}/a.png) }`;
    expect(isSame(both(style, undefined, { literal: false }, 'stylesheet'))).toBe(true);
    expect(isSame(both(style, undefined, { literal: true }, 'stylesheet'))).toBe(false);
  });
});

describe('a script of two types', () => {
  it('is what the first of them says', () => {
    const script = '<script type="text/javascript" type="application/json">1</script>';
    expect(findObstacles([served(SITE.origin, script, {}, 'document')], [])).toEqual(['scripts']);
  });
});
