import { late, parameter, wait } from './corpus-page.js';

const socket = (ms, { word }) => `new WebSocket('ws://' + location.host + '/socket?ms=${ms}&body=${word}')`;
const worker = (source, options = '') =>
  `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(source)}], { type: 'text/javascript' }))${options})`;

/** Content that others send: servers, workers, other windows. */
export const STREAM_PAGES = [
  late('a WebSocket', (done, variant) => `${socket(1400, variant)}.onmessage = () => { ${done} }`),
  late('a WebSocket whose message is shown', (_, variant) => {
    return `${socket(2300, variant)}.onmessage = ({ data }) => { late.textContent = data }`;
  }),
  late('a WebSocket that is opened late', (done, variant) => {
    return `setTimeout(() => { ${socket(900, variant)}.onmessage = () => { ${done} } }, 900)`;
  }),
  late('a WebSocket, then a fetch', (done, variant) => {
    return `${socket(700, variant)}.onmessage = () => fetch('${wait(700, variant)}').then(() => { ${done} })`;
  }),
  late('a WebSocket that never speaks, and a timer', (done, variant) => {
    return `${socket(99_999, variant)}; setTimeout(() => { ${done} }, 1900)`;
  }),
  late('a stream of events whose text is shown', (_, { word }) => {
    return `new EventSource('/events?ms=1900&body=${word}').onmessage = ({ data }) => { late.textContent = data }`;
  }),
  late('a body that is read in parts', (_, { word }) => {
    return `fetch('/parts?ms=1300&body=&rest=${word}').then(async ({ body }) => { for await (const part of body.pipeThrough(new TextDecoderStream())) late.textContent = part })`;
  }),
  late('a request that is tried again', (done, variant) => {
    return `const go = (n) => fetch(n < 3 ? '/none' : '${wait(300, variant)}').then((r) => { if (r.ok) { ${done} } else setTimeout(go, 400, n + 1) }); go(0)`;
  }),
  late('a JSON answer that lists more requests', (_, variant) => {
    const list = parameter(JSON.stringify([wait(300, variant), wait(600, variant), wait(900, variant)]));
    return `fetch('/wait?ms=500&body=${list}').then((r) => r.json()).then((all) => Promise.all(all.map((u) => fetch(u).then((r) => r.text())))).then((t) => { late.textContent = t })`;
  }),
  late('a text track whose cue is shown', (_, { word }) => {
    const cue = parameter(`WEBVTT\n\n00:00.000 --> 00:09.000\n${word}`);
    return `late.insertAdjacentHTML('afterend', '<video hidden src="/video?word=Amber"><track id="t" src="/wait?ms=1500&type=text/vtt&body=${cue}"></video>'); t.track.mode = 'hidden'; t.onload = () => { late.textContent = t.track.cues[0].text }`;
  }),
  late('a worker that fetches', (done, variant) => {
    const source = `onmessage = ({ data }) => fetch(data).then(() => postMessage(1))`;
    return `const w = ${worker(source)}; w.onmessage = () => { ${done} }; w.postMessage(location.origin + '${wait(1300, variant)}')`;
  }),
  late('a worker that reports its progress', (_, { word }) => {
    const source =
      'let n = 0; const k = setInterval(() => { postMessage(n += 20); if (n === 100) clearInterval(k) }, 350)';
    return `${worker(source)}.onmessage = ({ data }) => { late.textContent = data === 100 ? '${word}' : data + ' %' }`;
  }),
  late('a worker that calculates', (done) => {
    const source = 'const t = performance.now(); while (performance.now() - t < 1200); postMessage(1)';
    return `${worker(source)}.onmessage = () => { ${done} }`;
  }),
  late('a module worker', (done) => {
    return `${worker('setTimeout(() => postMessage(1), 1000)', ", { type: 'module' }")}.onmessage = () => { ${done} }`;
  }),
  late('a shared worker', (done) => {
    const source = `onconnect = ({ ports: [port] }) => setTimeout(() => port.postMessage(1), 1200)`;
    return `const w = new SharedWorker(URL.createObjectURL(new Blob([${JSON.stringify(source)}]))); w.port.onmessage = () => { ${done} }; w.port.start()`;
  }),
  late('a channel between windows', (done) => {
    const inner = `<script>setTimeout(() => new BroadcastChannel('c').postMessage(1), 1300)</script>`;
    return `new BroadcastChannel('c').onmessage = () => { ${done} }; document.body.insertAdjacentHTML('beforeend', '<iframe hidden src="/echo?body=${parameter(inner)}"></iframe>')`;
  }),
  late('a message of a frame', (done) => {
    const inner = `<script>setTimeout(() => parent.postMessage(1), 1200)</script>`;
    return `addEventListener('message', () => { ${done} }); document.body.insertAdjacentHTML('beforeend', '<iframe hidden src="/echo?body=${parameter(inner)}"></iframe>')`;
  }),
  late('a chain of messages', (done) => {
    return `const c = new MessageChannel(); const t = performance.now(); c.port1.onmessage = () => { if (performance.now() - t > 1100) { ${done} } else c.port2.postMessage(0) }; c.port2.postMessage(0)`;
  }),
  late('a chain of messages to itself', (done) => {
    return `const t = performance.now(); onmessage = () => { if (performance.now() - t > 900) { ${done} } else postMessage(0) }; postMessage(0)`;
  }),
  late('a chain of timers without delay', (done) => {
    return `let n = 0; (function f() { n += 1; if (n > 300) { ${done} } else setTimeout(f) })()`;
  }),
  late('a chain of idle callbacks', (done) => {
    return `let n = 0; (function f() { n += 1; if (n > 40) { ${done} } else requestIdleCallback(f) })()`;
  }),
  late('a list that is drawn part by part', (_, { word }) => {
    return `late.textContent = ''; let n = 0; (function f() { for (let k = 0; k < 5; k += 1) { late.append(Object.assign(document.createElement('p'), { textContent: '${word} ' + n })); n += 1 } if (n < 60) requestIdleCallback(f) })()`;
  }),
  late('a store in the browser', (done) => {
    return `const q = indexedDB.open('d', 1); q.onupgradeneeded = () => q.result.createObjectStore('s'); q.onsuccess = () => { const t = q.result.transaction('s', 'readwrite'); t.objectStore('s').put(1, 1); t.oncomplete = () => setTimeout(() => { ${done} }, 800) }`;
  }),
  late('a place that is asked for', (done) => {
    return `navigator.geolocation.getCurrentPosition(() => { ${done} }, () => { ${done} }, { timeout: 1500 })`;
  }),
  late('a service worker that is ready', (done) => {
    return `Promise.race([navigator.serviceWorker?.register('/none.js').catch(() => 0), new Promise((r) => setTimeout(r, 1500))]).then(() => setTimeout(() => { ${done} }, 500))`;
  }),
  late('a lock', (done) => {
    return `navigator.locks.request('l', () => new Promise((r) => setTimeout(r, 1100))); navigator.locks.request('l', () => { ${done} })`;
  }),
  late('a digest', (done) => {
    return `(async () => { let b = new Uint8Array(1e5); for (let n = 0; n < 60; n += 1) { b = new Uint8Array(await crypto.subtle.digest('SHA-256', b)) } ${done} })()`;
  }),
  late('a long task', (done) => {
    return `setTimeout(() => { const t = performance.now(); while (performance.now() - t < 900); ${done} }, 500)`;
  }),
  late('a file that is read', (_, { word }) => {
    return `const r = new FileReader(); r.onload = () => setTimeout(() => { late.textContent = r.result }, 700); r.readAsText(new Blob(['${word}']))`;
  }),
  late('a second visit', (done) => {
    return `const n = Number(localStorage.n ?? 0) + 1; localStorage.n = n; setTimeout(() => { ${done}; late.append(' ' + n) }, 700)`;
  }),
  late('a cookie', (done) => {
    return `document.cookie = 'seen=' + (document.cookie.includes('seen') ? 2 : 1); setTimeout(() => { ${done}; late.append(document.cookie) }, 700)`;
  }),
];
