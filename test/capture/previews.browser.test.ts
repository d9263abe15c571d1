import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CaptureRequest } from '../../src/capture/browser/capture-request.ts';
import { decodeElementMap } from '../../src/elements/encode-element-map.ts';
import { siteBase } from '../../src/net/site-base.ts';
import { loadingOnce } from './load-once.ts';
import { never, requestOf } from './requests.ts';
import { html, openSite, type Site } from './site.ts';

let site: Site;
let host: Site;
let browser: ReturnType<typeof loadingOnce>;

beforeAll(async () => {
  [site, host] = await Promise.all([openSite(), openSite()]);
  browser = loadingOnce();
});
afterAll(async () => {
  await browser.close();
  await Promise.all([site.close(), host.close()]);
});

const DOT = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';

/** Draws by chance, and has pictures by addresses of every kind. */
const body = (origin: string, root: string) =>
  html(
    `<p id="chance"></p><img src="${root}dot.svg"><img src="${origin}${root}dot.svg"><img src="dot.svg">
     <a href="${root}">Home</a><a href="https://elsewhere.test/repo/">Outside</a><div id="back" style="background: url(dot.svg)">Words</div>
     <script>document.getElementById('chance').textContent = String(Math.random())</script>`,
  );

function show(server: Site, root: string): string {
  server.page(`${root}dot.svg`, (_, response) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(DOT));
  return server.page(`${root}page`, body(server.origin, root));
}

const capture = async (url: string, changes: Partial<CaptureRequest> = {}) =>
  browser.capture(requestOf(url, changes), never);

const previewAt = (base: string, own: string) => ({ preview: { base: siteBase(base), site: siteBase(own) } });

describe('a page of a preview', () => {
  it.each([
    ['/', '/pr-preview/pr-7/'],
    ['/repo/', '/'],
    ['/repo/', '/repo/pr-preview/pr-7/'],
  ])('of a site at %s looks the same at %s, and has the same elements', async (own, root) => {
    const before = await capture(show(site, own));
    const changes = previewAt(host.origin + root, site.origin + own);
    const after = await capture(show(host, root), changes);
    expect(after.sha256).toBe(before.sha256);
    const maps = await Promise.all(
      [before, after].map(async ({ elements }) => decodeElementMap(elements ?? Buffer.of())),
    );
    expect(maps[1]).toEqual(maps[0]);
  });

  it('is an error when it leaves the preview, however it goes', async () => {
    host.page('/', html('The site itself'));
    host.page('/login', html('<input type="password">'));
    host.page('/pr-9/other', html('Another page of the preview'));
    const changes = previewAt(`${host.origin}/pr-9/`, site.origin);
    const gone = async (path: string, page: Parameters<Site['page']>[1]) =>
      capture(host.page(path, page), changes).catch((error: unknown) => error);
    const outside = {
      message: `The page redirected to ${host.origin}/, which is outside of the preview at ${host.origin}/pr-9/`,
      wall: null,
    };
    const redirect = (location: string) => (_: unknown, response: ServerResponse) => {
      response.writeHead(302, { location }).end();
    };
    expect(await gone('/pr-9/a', redirect('/'))).toMatchObject(outside);
    expect(await gone('/pr-9/b', html("<script>location.replace('/')</script>"))).toMatchObject(outside);
    expect(await gone('/pr-9/c', '<meta http-equiv="refresh" content="0; url=../">moved')).toMatchObject(outside);
    expect(await gone('/pr-9/d', redirect('/login'))).toMatchObject({ wall: 'login', address: `${host.origin}/login` });
    expect(await gone('/pr-9/e', redirect('/pr-9/other'))).toMatchObject({ title: 'A page' });
    expect(await gone('/pr-9/f', html("<script>history.replaceState(null, '', '/')</script>"))).toMatchObject({
      title: 'A page',
    });
  });
});

describe('a page that shows what the suite says about addresses', () => {
  const both = async (changes: Partial<CaptureRequest>) =>
    Promise.all(
      [site, host].map(async (server) => {
        const url = server.page('/links', html(`<a href="${server.origin}/a">A link</a>`));
        const places = { base: siteBase(server.origin), site: siteBase(site.origin) };
        return browser.captureBelieved(requestOf(url, { records: { places, always: true }, ...changes }), never);
      }),
    );
  const own = () => `a[href^="${site.origin}"]`;
  const { rules } = requestOf('');

  it('is made of the same at both places where the suite says nothing', async () => {
    const [before, after] = await both({ customCss: 'a { color: red }' });
    expect(after?.recorded).toEqual(before?.recorded);
  });

  it.each([
    ['its style', () => ({ customCss: `${own()} { color: red }` })],
    ['the style of a rule', () => ({ rules: { ...rules, css: `${own()} { color: red }` } })],
    ['a rule that hides', () => ({ rules: { ...rules, hide: [own()] } })],
    ['an action', () => ({ rules: { ...rules, actions: [{ type: 'hover' as const, selector: own() }] } })],
  ])('is not made of the same where it looks different because of %s', async (_what, changes) => {
    const [before, after] = await both({ customCss: 'a:hover { color: green }', ...changes() });
    expect(after?.sha256).not.toBe(before?.sha256);
    expect(after?.recorded).not.toEqual(before?.recorded);
  });
});
