import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Capture } from '../../src/capture/browser/browser.ts';
import type { CaptureRequest } from '../../src/capture/browser/capture-request.ts';
import { openBrowser } from '../../src/capture/browser/open-browser.ts';
import { LOCAL, never, requestOf } from './requests.ts';
import { html, openSite, type Handler, type Site } from './site.ts';

let site: Site;
let elsewhere: Site;
let browser: Browser;
const seen: { path: string; secret: boolean }[] = [];

const note = (request: IncomingMessage) => {
  seen.push({ path: request.url ?? '', secret: request.headers['x-secret'] !== undefined });
};

const answering =
  (status: number, headers: Record<string, string>, body = ''): Handler =>
  (request, response) => {
    note(request);
    response.writeHead(status, headers).end(body);
  };

const SCRIPT = { 'content-type': 'text/javascript' };
const WAITS = html(
  `<p id="t">Wait</p><script>navigator.serviceWorker.register('/worker.js'); navigator.serviceWorker.addEventListener('controllerchange', async () => { t.textContent = await (await fetch('/said')).text() })</script>`,
);
const FINISHED = html('<p id="t">Said by the worker</p>');

const worker = () => `importScripts('/imported.js');
  oninstall = (event) => { skipWaiting(); event.waitUntil(Promise.allSettled([fetch('/own'), fetch('/redirect', { mode: 'no-cors' }), fetch('${elsewhere.origin}/direct', { mode: 'no-cors' })])) };
  onactivate = (event) => event.waitUntil(clients.claim());
  onfetch = (event) => { if (event.request.url.endsWith('/said')) event.respondWith(new Response('Said by the worker')) };`;

beforeAll(async () => {
  site = await openSite();
  elsewhere = await openSite();
  for (const path of ['/direct', '/redirected']) elsewhere.page(path, answering(200, {}));
  site.page('/', WAITS);
  site.page('/finished', FINISHED);
  site.page('/worker.js', answering(200, SCRIPT, worker()));
  site.page('/imported.js', answering(200, SCRIPT));
  site.page('/own', answering(200, {}));
  site.page('/redirect', answering(302, { location: `${elsewhere.origin}/redirected` }));
  browser = openBrowser(LOCAL);
});

afterAll(async () => {
  await browser.close();
  await site.close();
  await elsewhere.close();
});

const localhost = () => site.origin.replace('127.0.0.1', 'localhost');

async function capture(path: string, changes: Partial<CaptureRequest> = {}): Promise<Capture> {
  seen.length = 0;
  const settle = { quiet: 500, network: 300, timeout: 5000 };
  return browser.capture(requestOf(`${localhost()}${path}`, { settle, ...changes }), never);
}

describe('a page that waits for its service worker', () => {
  it('is captured unfinished where workers are blocked, and told so', async () => {
    const { sha256, warnings } = await capture('/');
    expect(warnings.map(({ code }) => code)).toEqual(['service_worker_blocked']);
    expect((await capture('/finished')).sha256).not.toBe(sha256);
  });

  it('is finished where they are allowed, anew in each capture', async () => {
    const first = await capture('/', { serviceWorkers: 'allow' });
    expect(first.warnings).toEqual([]);
    expect((await capture('/finished')).sha256).toBe(first.sha256);
    const { sha256, atRest, way } = first;
    const again = await capture('/', { serviceWorkers: 'allow', baseline: { sha256, atRest, way } });
    expect(again.sha256).toBe(sha256);
    expect(seen.map(({ path }) => path)).toContain('/worker.js');
  });
});

describe('the requests of a service worker', () => {
  const isElsewhere = ({ path }: { path: string }) => ['/direct', '/redirected'].includes(path);

  it('reach no blocked host, nor by a redirect', async () => {
    const { sha256 } = await capture('/', { serviceWorkers: 'allow', blockHosts: ['127.0.0.1'] });
    expect(seen.filter(isElsewhere)).toEqual([]);
    expect(seen.map(({ path }) => path)).toContain('/redirect');
    expect((await capture('/finished')).sha256).toBe(sha256);
  });

  it('have the headers that pass the walls of the site, and for the site only', async () => {
    const access = { origin: localhost(), headers: [{ name: 'x-secret', value: '1' }], cookies: [], localStorage: [] };
    await capture('/', { serviceWorkers: 'allow', access });
    const paths = (secret: boolean) => new Set(seen.filter((each) => each.secret === secret).map(({ path }) => path));
    expect(paths(true)).toEqual(new Set(['/worker.js', '/imported.js', '/own', '/redirect']));
    expect(paths(false)).toEqual(new Set(['/direct', '/redirected']));
  });

  it('are answered by an uploaded build', async () => {
    const files = new Map([
      ['/', ['text/html', WAITS]],
      ['/worker.js', ['text/javascript', worker()]],
      ['/imported.js', ['text/javascript', '']],
    ]);
    const answer = async (_: string, url: string) => {
      const [type = 'text/plain', body = ''] = files.get(new URL(url).pathname) ?? [];
      return { status: 200, headers: { 'content-type': type }, body: Buffer.from(body) };
    };
    const { sha256 } = await capture('/', { serviceWorkers: 'allow', site: { origin: localhost(), answer } });
    expect(seen.filter((each) => !isElsewhere(each))).toEqual([]);
    expect((await capture('/finished')).sha256).toBe(sha256);
  });
});
