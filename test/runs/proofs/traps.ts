import type { IncomingMessage } from 'node:http';
import { html } from '../../capture/site.ts';

/** What a server answers. `side`: the site when its baselines are captured, or the preview later. */
type Answer = { status?: number; headers?: Record<string, string>; body?: string | Buffer };
export type Answers = (side: 'site' | 'preview', request: IncomingMessage, other: string) => Answer;

/** `looks`: whether the page looks the same on the preview. */
export type Trap = { looks: 'same' | 'other'; files: Record<string, Answers> };

export const GREEN =
  '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"><rect width="60" height="60" fill="green"/></svg>';
const RED = GREEN.replace('green', 'red');
export const SVG = { 'content-type': 'image/svg+xml' };
export const HTML = { 'content-type': 'text/html; charset=utf-8' };
const CSS = { 'content-type': 'text/css' };

/** One pixel. No byte of it is UTF-8. */
const gif = (red: number) =>
  Buffer.concat([
    Buffer.from('GIF89a\u0001\0\u0001\0', 'latin1'),
    Buffer.from([0x80, 0, 0, red, 0xff, 0xff, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b]),
  ]);
const DECLARED = `<?xml version="1.0" encoding="iso-8859-1"?>
<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"><text y="50" font-size="50">é</text></svg>`;

const page =
  (body: string, head = '', headers: Record<string, string> = {}): Answers =>
  () => ({
    headers: { ...HTML, ...headers },
    body: html(body, head),
  });
const colored = (side: 'site' | 'preview') => (side === 'site' ? GREEN : RED);
const image: Answers = (side) => ({ headers: SVG, body: colored(side) });
const still: Answers = () => ({ headers: SVG, body: GREEN });
const style =
  (text: (side: 'site' | 'preview') => string): Answers =>
  (side) => ({ headers: CSS, body: text(side) });
const only = (side: 'site' | 'preview', headers: Record<string, string>) => (side === 'preview' ? headers : {});

const script = (code: string): Trap => ({ looks: 'same', files: { '': page(`<p>Text</p><script>${code}</script>`) } });
export const other = (files: Record<string, Answers>): Trap => ({ looks: 'other', files });
const same = (files: Record<string, Answers>): Trap => ({ looks: 'same', files });

/** Files are below the folder of the trap. */
export const TRAPS: Record<string, Trap> = {
  clock: script('document.title = String(Date.now())'),
  chance: script('document.title = String(Math.random())'),
  place: other({ '': page('<h1></h1><script>document.querySelector("h1").textContent = location.port</script>') }),
  storage: script('localStorage.seen = "yes"'),
  post: script('fetch("data", { method: "POST", body: "1" }).catch(() => {})'),
  events: script('new EventSource("events").close()'),
  socket: script('try { new WebSocket("ws://" + location.host + "/socket") } catch {}'),
  worker: script('new Worker("data:text/javascript,0")'),
  serviceworker: script('navigator.serviceWorker?.register("worker.js").catch(() => {})'),
  module: same({
    '': page('<p>Text</p>', '<script type="module" src="app.js"></script>'),
    'app.js': () => ({ headers: { 'content-type': 'text/javascript' }, body: '' }),
  }),
  handler: other({
    '': page('<img src="a.svg" onload="document.body.append(location.port)">'),
    'a.svg': still,
  }),
  'javascript-frame': same({ '': page('<iframe src="javascript:\'text\'"></iframe>') }),
  'srcdoc-frame': same({ '': page('<iframe srcdoc="text"></iframe>') }),
  'data-frame': same({ '': page('<iframe src="data:text/html,text"></iframe>') }),
  'frame-elsewhere': other({
    '': (_side, _request, third) => ({ headers: HTML, body: html(`<iframe src="${third}/frame.svg"></iframe>`) }),
  }),
  frame: other({ '': page('<iframe src="frame"></iframe>'), frame: (side) => ({ headers: HTML, body: html(side) }) }),
  'frame-options': other({
    '': page('<iframe src="frame"></iframe>'),
    frame: (side) => ({ headers: { ...HTML, ...only(side, { 'x-frame-options': 'DENY' }) }, body: html('Framed') }),
  }),
  'refresh-header': same({ '': page('<p>Text</p>', '', { refresh: '3600' }) }),
  'refresh-header-later': other({
    '': (side) => ({ headers: { ...HTML, ...only(side, { refresh: '0; url=next' }) }, body: html('<p>Text</p>') }),
    next: page('<p>Another page</p>'),
  }),
  'refresh-tag': same({ '': page('<p>Text</p>', '<meta http-equiv="refresh" content="3600">') }),
  redirect: other({
    '': (side) => ({ status: 302, headers: { location: side === 'site' ? 'one' : 'two' } }),
    one: page('One'),
    two: page('Two'),
  }),
  policy: other({
    '': (side) => ({
      headers: { ...HTML, ...only(side, { 'content-security-policy': "img-src 'none'" }) },
      body: html('<img src="a.svg">'),
    }),
    'a.svg': still,
  }),
  'type-of-document': other({
    '': (side) => ({ headers: side === 'site' ? HTML : { 'content-type': 'text/plain' }, body: html('<h1>Text</h1>') }),
  }),
  'type-of-style': other({
    '': page('<p>Text</p>', '<link rel="stylesheet" href="a.css">'),
    'a.css': (side) => ({
      headers: side === 'site' ? CSS : { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' },
      body: 'p { color: red }',
    }),
  }),
  encoding: other({
    '': (side) => ({
      headers: { 'content-type': `text/html; charset=${side === 'site' ? 'utf-8' : 'iso-8859-1'}` },
      body: '<!doctype html><p>é ü',
    }),
  }),
  'encoding-of-style': same({
    '': page('<p class="é">Text</p>', '<link rel="stylesheet" href="a.css">'),
    'a.css': () => ({ headers: { 'content-type': 'text/css; charset=iso-8859-1' }, body: '.Ã© { color: red }' }),
  }),
  etag: other({
    '': page('<img src="a.svg">'),
    'a.svg': (side, request) =>
      request.headers['if-none-match'] === undefined
        ? { headers: { ...SVG, etag: '"1"' }, body: colored(side) }
        : { status: 304 },
  }),
  cookie: other({
    '': page('<img src="a.svg">', '', { 'set-cookie': 'seen=1; Path=/' }),
    'a.svg': (side, request) => ({
      headers: SVG,
      body: request.headers.cookie?.includes('seen') === true ? colored(side) : GREEN,
    }),
  }),
  hints: other({
    '': page('<img src="a.svg">', '', { 'accept-ch': 'sec-ch-prefers-color-scheme, sec-ch-viewport-width' }),
    'a.svg': (side, request) => ({
      headers: SVG,
      body: request.headers['sec-ch-prefers-color-scheme'] === undefined ? GREEN : colored(side),
    }),
  }),
  'vary-all': same({ '': page('<p>Text</p>', '', { vary: '*' }) }),
  language: other({
    '': (side, request) => ({
      headers: { ...HTML, vary: 'accept-language' },
      body: html(request.headers['accept-language']?.startsWith('de') === true ? side : 'English'),
    }),
  }),
  base: other({ '': page('<img src="a.svg">', '<base href="folder/">'), 'folder/a.svg': image }),
  import: other({
    '': page('<p>Text</p>', '<link rel="stylesheet" href="a.css">'),
    'a.css': style(() => '@import "b.css";'),
    'b.css': style(() => '@import "c.css";'),
    'c.css': style((side) => `p { color: ${side === 'site' ? 'green' : 'red'} }`),
  }),
  background: other({ '': page('<p style="height: 60px; background: url(a.svg)">Text</p>'), 'a.svg': image }),
  font: same({
    '': page('<p>Text</p>', '<style>@font-face { font-family: A; src: url(a.woff2) } p { font-family: A }</style>'),
    'a.woff2': (side) => ({ headers: { 'content-type': 'font/woff2' }, body: side }),
  }),
  preload: same({ '': page('<p>Text</p>', '<link rel="preload" as="image" href="a.svg">'), 'a.svg': image }),
  gone: other({
    '': page('<img src="a.svg" alt="Gone">'),
    'a.svg': (side) => (side === 'site' ? { headers: SVG, body: GREEN } : { status: 404 }),
  }),
  'third-party': other({
    '': (_side, _request, third) => ({ headers: HTML, body: html(`<img src="${third}/third.svg">`) }),
  }),
  'moving-image': same({
    '': page('<img src="a.svg">'),
    'a.svg': () => ({
      headers: SVG,
      body: GREEN.replace('/></svg>', '><animate attributeName="x" values="0;0" dur="1s"/></rect></svg>'),
    }),
  }),
  video: same({
    '': page('<video src="a.mp4"></video>'),
    'a.mp4': () => ({ headers: { 'content-type': 'video/mp4' }, body: '' }),
  }),
  object: same({ '': page('<object data="a.svg"></object>'), 'a.svg': still }),
  'own-address': other({
    '': (_side, request) => ({
      headers: HTML,
      body: html(`<p>${request.headers.host}</p><a href="http://${request.headers.host}/">Home</a>`),
    }),
  }),
  'address-in-style': other({
    '': (_side, request) => ({
      headers: HTML,
      body: html(
        `<a href="http://${request.headers.host}/">Home</a>`,
        '<style>a::after { content: attr(href) }</style>',
      ),
    }),
  }),
  'image-as-text': other({
    '': page('<img src="a.gif" width="60" height="60">'),
    'a.gif': (side) => ({ headers: { 'content-type': 'text/plain' }, body: gif(side === 'site' ? 0xff : 0x80) }),
  }),
  'encoding-in-image': other({
    '': page('<img src="a.svg">'),
    'a.svg': (side) => ({ headers: SVG, body: Buffer.from(DECLARED, side === 'site' ? 'latin1' : 'utf8') }),
  }),
  'encoding-in-style': other({
    '': page('<p>Text</p>', '<link rel="stylesheet" href="a.css">'),
    'a.css': (side) => ({
      headers: CSS,
      body: Buffer.from('@charset "iso-8859-1"; p::after { content: "é" }', side === 'site' ? 'latin1' : 'utf8'),
    }),
  }),
  counter: { looks: 'other', files: { '': (side) => ({ headers: HTML, body: html(`Visitor ${side}`) }) } },
};

/** Pages beside them, which are proven. */
export const PLAIN: Record<string, Trap> = {
  text: same({ '': page('<p>Text with umlauts: äöü</p>') }),
  pictures: same({ '': page('<img src="a.svg"><img src="a.svg" loading="lazy">'), 'a.svg': still }),
  styles: same({
    '': page('<p>Text</p>', '<link rel="stylesheet" href="a.css">'),
    'a.css': style(() => '@import "b.css";'),
    'b.css': style(() => 'p { background: url(../pictures/a.svg) }'),
  }),
  moved: same({ '': () => ({ status: 301, headers: { location: 'there' } }), there: page('<p>There</p>') }),
  framed: same({ '': page('<iframe src="frame"></iframe>'), frame: page('Framed') }),
  'only-only': same({ '': page('<p>update only = 1; online = 2</p>') }),
  data: same({ '': page('<p>Text</p>', '<script type="application/ld+json">{"a":1}</script>') }),
  missing: same({ '': page('<img src="gone.svg" alt="Gone">') }),
  counted: same({
    '': (side) => ({
      headers: { ...HTML, etag: `"${side}"`, date: new Date().toUTCString(), 'x-request-id': side },
      body: html('Text'),
    }),
  }),
  token: same({
    '': (side) => ({
      headers: HTML,
      body: html(
        '<form><input type="hidden" name="csrf_token" value="' + side + '"></form>',
        `<meta name="csrf-token" content="${side}">`,
      ),
    }),
  }),
  nonce: same({
    '': (side) => ({
      headers: { ...HTML, 'content-security-policy': `style-src 'nonce-${side}'` },
      body: html('<p>Text</p>', `<style nonce="${side}">p { color: green }</style>`),
    }),
  }),
  'own-name': same({
    '': (_side, request) => ({
      headers: HTML,
      body: html(
        `<a href="http://${request.headers.host}/x">Link</a>`,
        `<link rel="canonical" href="http://${request.headers.host}/plain/own-name/">`,
      ),
    }),
  }),
};
