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

  it('allows something else on another port', () => {
    const [here, there] = ['https://site.example:3000', 'https://site.example:3001'].map((origin) => {
      const answer = served(origin, '', { 'content-security-policy': 'img-src *:3000' }, 'document');
      return toExchange({ base: siteBase(origin), site: SITE }, answer);
    });
    expect(there).not.toEqual(here);
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
    expect(of(' nonce="0"', 'c', 'd')).not.toEqual(of(' nonce="a"', 'a', 'b'));
  });

  it('is another one for each directive that has its own', () => {
    expect(of(' nonce="c"', 'c', 'c')).toEqual(of(' nonce="a"', 'a', 'a'));
    expect(of(' nonce="c"', 'c', 'd')).not.toEqual(of(' nonce="a"', 'a', 'a'));
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

describe('an address of the page’s own server', () => {
  const font: Text = () => `@font-face { font-family: A; src: url(${SITE.origin}/a.woff2) }`;

  it.each([
    ['in a style tag', () => `<style>${font('')}</style>`],
    ['in a style attribute', () => `<p style="background: url(//www.site.example/a.png)">`],
    ['without a scheme', () => '<img src="//www.site.example/a.png">'],
    ['in capitals', () => '<img src="HTTPS://WWW.SITE.EXAMPLE/a.png">'],
    ['with its port', () => '<img src="https://www.site.example:443/a.png">'],
    ['as templates escape it', () => '<img src="https:&#x2F;&#x2F;www.site.example&#x2F;a.png">'],
    ['behind a class with an angle', () => '<img class="[&>p]:m-2" src="https://www.site.example/a.png">'],
    ['on a page with a field', () => '<textarea></textarea><img src="https://www.site.example/a.png">'],
  ] satisfies [string, Text][])('is one of another server on a preview: %s', (_what, text) => {
    expect(isSame(both(text))).toBe(false);
    expect(isSame(both(text, undefined, { literal: true }))).toBe(false);
  });

  it.each([
    font,
    () => '@import"//www.site.example/a.css"',
    () => 'p { background: image-set("//www.site.example/a" 1x) }',
  ])('is that in a style sheet, too', (text) => {
    expect(isSame(both(text, undefined, { literal: false }, 'stylesheet'))).toBe(false);
    expect(isSame(both(text, undefined, { literal: true }, 'stylesheet'))).toBe(false);
  });

  it.each([
    '<link rel="canonical" href="https://www.site.example/a">',
    '<meta itemprop="url" content="https://www.site.example/a">',
    '<script type="application/ld+json">{ "url": "https://www.site.example/a" }</script>',
    '<p>www.site.example</p>',
    '<img src="https://cdn.example/a.png?of=www.site.example"><img src="//cdn.www.site.example/a.png">',
  ])('is not asked for where it is only named: %s', (text) => {
    expect(isSame(both(() => text))).toBe(true);
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

describe('an address from the root', () => {
  const at = (base: typeof SITE, text: string, kind: string, literal: boolean) =>
    toExchange({ base, site: SITE }, served(base.origin, text, {}, kind), { literal }).body;
  const folder = siteBase('https://previews.example/pr-7/');
  const both = (text: string, there = text, kind = 'document', literal = false) =>
    at(SITE, text, kind, literal) === at(folder, there, kind, literal);

  it.each([
    '<img src="/a.png">',
    '<img src=/a.png>',
    '<img src="&#x2F;a.png">',
    "<img src='&#47;pictures&#47;a.png'>",
    '<p style="background: url(&quot;/a.png&quot;)">',
    '<style>p { background: url(/a.png) }</style>',
    '<textarea></textarea><img srcset="a.png 1x, /b.png 2x">',
  ])('is another one in a folder: %s', (text) => {
    expect(both(text)).toBe(false);
    expect(both(text, text, 'document', true)).toBe(false);
  });

  it.each(['@import"/a.css"', 'p { background: image-set( "/a.png" 1x) }'])('is that in a style sheet: %s', (text) => {
    expect(both(text, text, 'stylesheet')).toBe(false);
    expect(both(text, text, 'stylesheet', true)).toBe(false);
  });

  it('is the same if it leads into the folder', () => {
    expect(both('<img src="/a.png"><a href="/">Home</a>', '<img src="/pr-7/a.png"><a href="/pr-7/">Home</a>')).toBe(
      true,
    );
    expect(both('p { background: url(/a.png) }', 'p { background: url(/pr-7/a.png) }', 'stylesheet')).toBe(true);
    expect(both('<img src="//cdn.example/a.png"><br />and/or<br/>')).toBe(true);
    expect(both('<img src="&#x2F;&#x2F;cdn.example&#x2F;a.png"><img src="https:&#x2F;&#x2F;cdn.example">')).toBe(true);
  });
});

describe('an address that leads upwards', () => {
  const folder = siteBase('https://previews.example/pr-7/');
  const at = (base: typeof SITE, path: string, text: string, kind: string) => {
    const url = `${base.origin}${base.path}${path}`;
    return toExchange({ base, site: SITE }, { ...served(base.origin, text, {}, kind), url }).body;
  };
  const both = (path: string, text: string, kind = 'document') =>
    at(SITE, path, text, kind) === at(folder, path, text, kind);

  it('leads out of a folder if it leads above the root of the site', () => {
    expect(both('docs/a', '<img src="../a.png">')).toBe(true);
    expect(both('docs/a', '<img src="../../a.png">')).toBe(false);
    expect(both('docs/a', '<img src="..&#x2F;a.png">')).toBe(true);
    expect(both('docs/a', '<img src="..&#x2F;..&#x2F;a.png">')).toBe(false);
    expect(both('docs/a', '<img src="..\\..\\a.png">')).toBe(false);
    expect(both('docs/a', '<base href="/"><img src="../a.png">')).toBe(false);
    expect(both('css/a.css', 'p { background: url(../a.png) }', 'stylesheet')).toBe(true);
    expect(both('a.css', 'p { background: url(../a.png) }', 'stylesheet')).toBe(false);
  });

  it('is the same in folders of one name, and in what another server sends', () => {
    const preview = siteBase('https://previews.example/');
    const text = '<img src="../a.png">';
    expect(at(SITE, 'a', text, 'document')).toBe(at(preview, 'a', text, 'document'));
    const style = { ...served('https://cdn.example', 'p { background: url(../a.png) }', {}, 'stylesheet') };
    expect(toExchange({ base: SITE, site: SITE }, style).body).toBe(
      toExchange({ base: folder, site: SITE }, style).body,
    );
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
