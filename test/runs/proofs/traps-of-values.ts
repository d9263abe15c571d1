import { html } from '../../capture/site.ts';
import { GREEN, HTML, other, SVG, type Answers, type Trap } from './traps.ts';

/** The host of the site, which its preview names as well. */
let site = '';

const note: Answers = (side, request) => {
  if (side === 'site') site = request.headers.host ?? '';
  return {};
};

const page =
  (body: (host: string, side: string) => string, head: (host: string, side: string) => string = () => ''): Answers =>
  (side, request) => {
    note(side, request, '');
    const { host = '' } = request.headers;
    return { headers: HTML, body: html(body(host, side), head(host, side)) };
  };

const link = (host: string) => `<a href="http://${host}/">Home</a>`;
const shown = (style: string) => other({ '': page(link, () => `<style>${style}</style>`) });
const selected = (selector: string) =>
  other({ '': page(link, () => `<style>${selector.replace('SITE', site)} { font-size: 40px }</style>`) });

/** Values that are left out of a comparison, because they are invisible, and are shown after all. */
export const OF_VALUES: Record<string, Trap> = {
  'address-behind-comment': shown('a::after { content: attr(/**/href) }'),
  'address-before-comment': shown('a::after { content: attr(href/**/) }'),
  'address-by-escape': shown(String.raw`a::after { content: attr(\68 ref) }`),
  'selector-behind-comment': selected('a[/**/href*="SITE"]'),
  'selector-before-comment': selected('a[href/**/*="SITE"]'),
  'selector-by-escape': selected(String.raw`a[h\72 ef*="SITE"]`),
  'meta-shown': other({
    '': page(
      () => '<p>Text</p>',
      (host) =>
        `<meta property="og:url" content="http://${host}/"><style>head, meta { display: block } meta::after { content: attr(content) }</style>`,
    ),
  }),
  'token-shown': other({
    '': page(
      () => '<p>Text</p>',
      (_, side) =>
        `<meta name="csrf-token" content="${side}"><style>head, meta { display: block } meta::after { content: attr(content) }</style>`,
    ),
  }),
  'token-selected': other({
    '': page(
      (_, side) => `<input type="hidden" name="csrf_token" value="${side}"><p>Text</p>`,
      () => '<style>[value="site"] + p { font-size: 40px }</style>',
    ),
  }),
  'address-in-string': other({
    '': page(
      () => '<p>Text</p>',
      () => '<link rel="stylesheet" href="a.css">',
    ),
    'a.css': (_, request) => ({
      headers: { 'content-type': 'text/css' },
      body: `p::after { content: "url(http://${request.headers.host}/)" }`,
    }),
  }),
  'noframes-shown': other({
    '': page(
      (host) => `<noframes>${link(host)}</noframes>`,
      () => '<style>noframes { display: block }</style>',
    ),
  }),
  'style-shown': other({
    '': page(
      () => '<p>Text</p>',
      (host) => `<style>/* ${link(host)} */ head, style { display: block }</style>`,
    ),
  }),
  'title-shown': other({
    '': page(
      () => '<p>Text</p>',
      (host) => `<title>${link(host)}</title><style>head, title { display: block }</style>`,
    ),
  }),
  'sprite-of-site': other({
    '': page(() => '<svg width="60" height="60"><use href="sprite.svg#part"></use></svg>'),
    'sprite.svg': () => ({
      headers: SVG,
      body: `<svg xmlns="http://www.w3.org/2000/svg"><symbol id="part"><image width="60" height="60" href="http://${site}/sprite-of-site/a.svg"/></symbol></svg>`,
    }),
    'a.svg': (_, request) => ({
      headers: SVG,
      body: request.headers['sec-fetch-site'] === 'same-origin' ? GREEN : GREEN.replace('green', 'red'),
    }),
  }),
};
