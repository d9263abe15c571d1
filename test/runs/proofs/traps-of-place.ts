import { createHash } from 'node:crypto';
import { html } from '../../capture/site.ts';
import { GREEN, HTML, other, SVG, type Answers, type Trap } from './traps.ts';

/** What is written for the site, and means something else at the address of a preview. */
let site = '';

/** The answer gets the host that is asked, and that of the site. */
const at =
  (type: string, text: (host: string, ofSite: string) => string, policy?: (ofSite: string) => string): Answers =>
  (side, request) => {
    const { host = '' } = request.headers;
    if (side === 'site') site = host;
    const headers = { 'content-type': type, ...(policy && { 'content-security-policy': policy(site) }) };
    return { headers, body: text(host, site) };
  };

const page = (body: (host: string) => string, head: (ofSite: string) => string = () => '') =>
  at(HTML['content-type'], (host, ofSite) => html(body(host), head(ofSite)));

const still: Answers = () => ({ headers: SVG, body: GREEN });
const style = (host: string) => `p { font-size: 40px; background: url(http://${host}/checksum/a.svg) }`;
/** A mask of another server needs its permission. Without a mask, nothing is drawn. */
const masked = (address: string) => `height: 60px; background: green; mask-image: ${address}`;
const sprite: Answers = () => ({ headers: SVG, body: GREEN.replace('<rect', '<rect id="part"') });
const part = (address: string) => `<svg width="60" height="60"><use href="${address}/a.svg#part"></use></svg>`;
const checksum = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

export const OF_PLACE: Record<string, Trap> = {
  'policy-of-host': other({
    '': at(
      HTML['content-type'],
      () => html('<img src="a.svg">'),
      (ofSite) => `img-src ${ofSite}`,
    ),
    'a.svg': still,
  }),
  'policy-tag-of-host': other({
    '': page(
      () => '<img src="a.svg">',
      (ofSite) => `<meta http-equiv="Content-Security-Policy" content="img-src ${ofSite}">`,
    ),
    'a.svg': still,
  }),
  'policy-of-port': other({
    '': at(
      HTML['content-type'],
      () => html('<img src="a.svg">'),
      (ofSite) => `img-src *:${ofSite.split(':')[1]}`,
    ),
    'a.svg': still,
  }),
  'selector-of-host': other({
    '': page(
      (host) => `<a href="http://${host}/">Home</a>`,
      (ofSite) => `<style>a:not([href*="${ofSite}"])::after { content: " elsewhere" }</style>`,
    ),
  }),
  checksum: other({
    '': page(
      () => '<p>Text</p>',
      (ofSite) => `<link rel="stylesheet" href="a.css" integrity="${checksum(style(ofSite))}">`,
    ),
    'a.css': at('text/css', style),
    'a.svg': still,
  }),
  'tag-in-field': other({ '': page((host) => `<input size="80" value='<img src="http://${host}/a.svg">'>`) }),
  'nonce-forgotten': other({
    '': (side) => ({
      headers: { ...HTML, 'content-security-policy': `style-src 'nonce-${side}'` },
      body: html('<p>Text</p>', `<style${side === 'site' ? ` nonce="${side}"` : ''}>p { font-size: 40px }</style>`),
    }),
  }),
  'nonce-of-a-number': other({
    '': (side) => ({
      headers: { ...HTML, 'content-security-policy': `style-src 'nonce-${side}'` },
      body: html('<p>Text</p>', `<style nonce="${side === 'site' ? side : '0'}">p { font-size: 40px }</style>`),
    }),
  }),
  'encoding-of-import': other({
    '': page(
      () => '<p>Text</p>',
      () => '<link rel="stylesheet" href="a.css">',
    ),
    'a.css': () => ({ headers: { 'content-type': 'text/css; charset=iso-8859-1' }, body: '@import "b.css";' }),
    'b.css': (side) => ({
      headers: { 'content-type': 'text/css' },
      body: Buffer.from('p::after { content: "é" }', side === 'site' ? 'latin1' : 'utf8'),
    }),
  }),
  signature: other({
    '': page(
      () => '<p>Text</p>',
      () => '<link rel="stylesheet" href="a.css">',
    ),
    'a.css': (side) => ({
      headers: {
        'content-type': 'text/css',
        ...(side === 'preview' && {
          'unencoded-digest': 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:',
          'signature-input':
            'signature=("unencoded-digest";sf);keyid="JrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=";tag="sri"',
          signature:
            'signature=:H7AqWWgo1DJ7VdyF9DKotG/4hvatKDfRTq2mpuY/hvJupSn+EYzus5p24qPK7DtVQcxJFhzSYDj4RBq9grZTAQ==:',
        }),
      },
      body: 'p { font-size: 40px }',
    }),
  }),
  'alternate-style': other({
    '': page(
      () => '<p></p>',
      (ofSite) =>
        `<meta http-equiv="default-style" content="b"><link rel="alternate stylesheet" title="b" href="http://${ofSite}/alternate-style/a.css">`,
    ),
    'a.css': (_, request) => ({
      headers: { 'content-type': 'text/css' },
      body: `p { height: 60px; background: ${request.headers['sec-fetch-site'] === 'same-origin' ? 'green' : 'red'} }`,
    }),
  }),
  'code-in-field': other({
    '': page((host) => `<input size="80" value="&lt;img src=&quot;http://${host}/a.svg&quot;&gt;">`),
  }),
  'style-tag-of-site': other({
    '': page(
      () => '<p></p>',
      (ofSite) => `<style>p { ${masked(`url(http://${ofSite}/style-tag-of-site/a.svg)`)} }</style>`,
    ),
    'a.svg': still,
  }),
  'style-attribute-of-site': other({
    '': at(HTML['content-type'], (_, ofSite) =>
      html(`<p style="${masked(`url(//${ofSite}/style-attribute-of-site/a.svg)`)}"></p>`),
    ),
    'a.svg': still,
  }),
  'sheet-of-site': other({
    '': page(
      () => '<p></p>',
      () => '<link rel="stylesheet" href="a.css">',
    ),
    'a.css': at('text/css', (_, ofSite) => `p { ${masked(`image-set("http://${ofSite}/sheet-of-site/a.svg" 1x)`)} }`),
    'a.svg': still,
  }),
  'sheet-without-type': other({
    '': page(
      () => '<p></p>',
      () => '<link rel="stylesheet" href="a.css">',
    ),
    'a.css': () => ({ body: `p { ${masked(`url(http://${site}/sheet-without-type/a.svg)`)} }` }),
    'a.svg': still,
  }),
  'without-scheme': other({
    '': at(HTML['content-type'], (_, ofSite) => html(part(`//${ofSite}/without-scheme`))),
    'a.svg': sprite,
  }),
  escaped: other({
    '': at(HTML['content-type'], (_, ofSite) => html(part(`http:&#x2F;&#x2F;${ofSite}/escaped`))),
    'a.svg': sprite,
  }),
  'literal-of-site': other({
    '': at(HTML['content-type'], (_, ofSite) =>
      html(
        `${part(`http://${ofSite}/literal-of-site`)}<a href="/x">Link</a>`,
        '<style>a::after { content: attr(href) }</style>',
      ),
    ),
    'a.svg': sprite,
  }),
};
