import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from '../../../src/capture/browser/browser.ts';
import { openBrowser } from '../../../src/capture/browser/open-browser.ts';
import type { Served } from '../../../src/capture/served/served.ts';
import { tellApart } from '../../../src/runs/judging/compare-control.ts';
import { LOCAL, never, requestOf } from '../requests.ts';
import { html, openSite, type Handler, type Site } from '../site.ts';

let browser: Browser;
let site: Site;
let other: Site;
beforeAll(async () => {
  browser = openBrowser(LOCAL);
  [site, other] = await Promise.all([openSite(), openSite()]);
});
afterAll(() => Promise.all([site.close(), other.close(), browser.close()]));

/** The same server under a second name. */
const aliasOf = ({ origin }: Site) => origin.replace('127.0.0.1', 'localhost');

async function seen(url: string, names: string[]): Promise<Served | null> {
  const baseline = { sha256: '0'.repeat(64), atRest: true };
  const { served } = await browser.capture(requestOf(url, { baseline, origins: names }), never);
  return served;
}

const answer =
  (body: (host: string) => string, headers: () => Record<string, string> = () => ({})): Handler =>
  (request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', ...headers() });
    response.end(html(body(request.headers.host ?? '')));
  };

let asked = 0;
const next = () => String((asked += 1));

// Waits longest, so it begins first.
it.concurrent('a document that is never complete is left out', async () => {
  const url = site.page('/endless', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'x-build': '7' });
    response.write(html('<p>Prices</p>'));
  });
  const baseline = { sha256: '0'.repeat(64), atRest: true };
  const request = requestOf(url, { baseline, origins: [site.origin], waitStrategy: 'domcontentloaded', timeout: 2000 });
  const { served } = await browser.capture(request, never);
  expect(served).toEqual({ 'header x-build': '7', addresses: expect.stringMatching(/^loopback /) });
});

describe('two names of one server', () => {
  it.concurrent.each<[string, Handler]>([
    ['static', answer(() => '<p>Prices</p>')],
    [
      'that names its host',
      answer((host) => `<link rel="canonical" href="http://${host}/"><p>Prices</p><!-- ${host} -->`),
    ],
    [
      'with a nonce in each document',
      answer(() => `<p>Prices</p><script nonce="${next()}"></script><!-- ${next()} -->`),
    ],
    [
      'with chance in its headers',
      answer(
        () => '<p>Prices</p>',
        () => ({ 'x-build-request': next(), 'x-request-id': next() }),
      ),
    ],
    [
      'that was made just now',
      answer(
        () => '<p>Prices</p>',
        () => ({ 'last-modified': new Date().toUTCString() }),
      ),
    ],
  ])('are not told apart by a page %s', async (name, page) => {
    const path = `/${name.replaceAll(' ', '-')}`;
    site.page(path, page);
    const names = [site.origin, aliasOf(site)];
    const [one, two] = await Promise.all([seen(site.origin + path, names), seen(aliasOf(site) + path, names)]);
    expect(one).toMatchObject({ addresses: `loopback ${new URL(site.origin).port}` });
    expect(tellApart(one, two)).toBe(false);
  });
});

describe('two servers', () => {
  it.concurrent.each<[string, Handler, Handler]>([
    ['their documents', answer(() => '<p>Prices</p><!-- 7 -->'), answer(() => '<p>Prices</p><!-- 8 -->')],
    [
      'their assets, with a nonce',
      answer(() => `<script src="/a.1.js" nonce="${next()}"></script>`),
      answer(() => `<script src="/a.2.js" nonce="${next()}"></script>`),
    ],
    [
      'a header of the deployment',
      answer(
        () => '<p>Prices</p>',
        () => ({ 'x-deployment-id': '7' }),
      ),
      answer(
        () => '<p>Prices</p>',
        () => ({ 'x-deployment-id': '8' }),
      ),
    ],
  ])('are told apart by %s', async (name, page, otherPage) => {
    const path = `/${name.replaceAll(' ', '-')}`;
    const names = [site.origin, other.origin];
    const [one, two] = await Promise.all([
      seen(site.page(path, page), names),
      seen(other.page(path, otherPage), names),
    ]);
    expect(tellApart(one, two)).toBe(true);
  });

  it.concurrent('are not told apart by their ports', async () => {
    const page = html('<p>Prices</p>');
    const names = [site.origin, other.origin];
    const [one, two] = await Promise.all([
      seen(site.page('/same', page), names),
      seen(other.page('/same', page), names),
    ]);
    expect(tellApart(one, two)).toBe(false);
  });
});
