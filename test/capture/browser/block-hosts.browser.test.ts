import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CaptureError, type Browser } from '../../../src/capture/browser/browser.ts';
import { openBrowser } from '../../../src/capture/browser/open-browser.ts';
import { LOCAL, never, requestOf } from '../requests.ts';
import { html, openSite, type Handler, type Site } from '../site.ts';

let site: Site;
/** Other hosts: Chromium finds every name below `localhost` on this machine. */
let other: Site;
let browser: Browser;

beforeAll(async () => {
  site = await openSite();
  other = await openSite();
  browser = openBrowser(LOCAL);
});

afterAll(async () => {
  await browser.close();
  await site.close();
  await other.close();
});

const ASKED = [
  '/a.png',
  '/a.css',
  '/a.js',
  '/frame',
  '/fetch',
  '/beacon',
  '/stream',
  '/moved.png',
  '/moved',
  '/worker',
];

const at = (host: string, path: string) => `http://${host}:${new URL(other.origin).port}${path}`;

/** A page that asks a host for something in every way there is. */
function pageAsking(host: string): string {
  const moveTo =
    (path: string): Handler =>
    (_, response) =>
      response.writeHead(302, { location: at(host, path) }).end();
  for (const path of ASKED) other.page(path, (_, response) => response.end());
  site.page('/to-image', moveTo('/moved.png'));
  site.page('/to-frame', moveTo('/moved'));
  site.page('/worker.js', (_, response) => {
    response.setHeader('content-type', 'text/javascript');
    response.end(`fetch('${at(host, '/worker')}').finally(() => postMessage(''))`);
  });
  return site.page(
    '/asking',
    html(
      `<link rel="stylesheet" href="${at(host, '/a.css')}"><script src="${at(host, '/a.js')}"></script>
       <img src="${at(host, '/a.png')}"><img src="/to-image">
       <iframe src="${at(host, '/frame')}"></iframe><iframe src="/to-frame"></iframe>
       <p id="socket">open</p>
       <script>
         navigator.sendBeacon('${at(host, '/beacon')}');
         new EventSource('${at(host, '/stream')}');
         const socket = new WebSocket('${at(host, '/socket').replace('http', 'ws')}');
         socket.onerror = () => { document.title = 'socket failed at ' + new URL(socket.url).port };
         const tell = (id) => document.body.append(Object.assign(document.createElement('i'), { id, textContent: id }));
         fetch('${at(host, '/fetch')}').finally(() => tell('fetched'));
         new Worker('/worker.js').onmessage = () => tell('worked');
       </script>`,
    ),
  );
}

async function hitsWith(host: string, blockHosts: string[]) {
  const url = pageAsking(host);
  const before = new Map(ASKED.map((path) => [path, other.hits(path)]));
  const { rules } = requestOf(url);
  const request = requestOf(url, { blockHosts, rules: { ...rules, waitFor: ['#fetched', '#worked'] } });
  const { title } = await browser.capture(request, never);
  return { title, hits: ASKED.filter((path) => other.hits(path) > (before.get(path) ?? 0)) };
}

describe('a host that the suite blocks', () => {
  it('is not asked for anything, redirects, frames, workers and sockets included', async () => {
    expect(await hitsWith('ads.localhost', ['ads.localhost'])).toEqual({ title: 'socket failed at 1', hits: [] });
  });

  it('is named by globs, of which the last that matches decides', async () => {
    expect((await hitsWith('x.ads.localhost', ['{ads,*.ads}.localhost'])).hits).toEqual([]);
    expect((await hitsWith('ads.localhost', ['{ads,*.ads}.localhost'])).hits).toEqual([]);
    const { hits } = await hitsWith('fine.ads.localhost', ['*.ads.localhost', '!fine.*']);
    expect(hits).toEqual(ASKED);
    expect((await hitsWith('fineads.localhost', ['*.ads.localhost'])).hits).toEqual(ASKED);
  });

  it('is named in the error when it is the host of the page', async () => {
    const capturing = browser.capture(requestOf(pageAsking('x.localhost'), { blockHosts: ['127.0.0.?'] }), never);
    await expect(capturing).rejects.toThrow(CaptureError);
    await expect(capturing).rejects.toThrow('is one of the hosts that the suite blocks');
  });
});
