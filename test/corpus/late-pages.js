import { late, lateBody, parameter, show, wait } from './corpus-page.js';

/** Content that comes by the page's own timers. */
export const TIMED_PAGES = [
  late('a timer of 400 ms', (done) => `setTimeout(() => { ${done} }, 400)`),
  late('a timer of 1,500 ms', (done) => `setTimeout(() => { ${done} }, 1500)`),
  late('a timer of 2,500 ms', (done) => `setTimeout(() => { ${done} }, 2500)`),
  late('a timer of 4,200 ms', (done) => `setTimeout(() => { ${done} }, 4200)`),
  late('a timer of text', (done) => `setTimeout(${JSON.stringify(done)}, 2600)`),
  late('a timer with too long a delay, which runs at once', (done) => `setTimeout(() => { ${done} }, 2 ** 31)`),
  late('three timers in a row', (done) => {
    return `setTimeout(() => setTimeout(() => setTimeout(() => { ${done} }, 900), 900), 900)`;
  }),
  late('an interval that ends', (done) => {
    return `let n = 0; const i = setInterval(() => { n += 1; if (n === 4) { clearInterval(i); ${done} } }, 500)`;
  }),
  late('a countdown', (done) => {
    return `let n = 3; const i = setInterval(() => { late.textContent = n; n -= 1; if (n < 0) { clearInterval(i); ${done} } }, 1000)`;
  }),
  late('polling on the date', (done) => {
    return `const t = Date.now(); const i = setInterval(() => { if (Date.now() - t > 1800) { clearInterval(i); ${done} } }, 50)`;
  }),
  late('an asynchronous function that sleeps', (done) => {
    return `(async () => { for (let n = 0; n < 4; n += 1) await new Promise((r) => setTimeout(r, 450)); ${done} })()`;
  }),
  late('a frame loop that waits', (done) => {
    return `const t = performance.now(); (function f() { if (performance.now() - t > 1700) { ${done} } else requestAnimationFrame(f) })()`;
  }),
  late('an idle callback', (done) => `requestIdleCallback(() => setTimeout(() => { ${done} }, 1200))`),
  late('a delayed task', (done) => `scheduler.postTask(() => { ${done} }, { delay: 1600 })`),
  late('an abort signal', (done) => `AbortSignal.timeout(1600).addEventListener('abort', () => { ${done} })`),
  late('a worker', (done) => {
    const source = `new Blob(['setTimeout(() => postMessage(1), 1500)'])`;
    return `new Worker(URL.createObjectURL(${source})).onmessage = () => { ${done} }`;
  }),
  late('the end of a transition', (done) => {
    return `late.style.transition = 'opacity 1s'; late.addEventListener('transitionend', () => { late.style.opacity = 1; ${done} }); setTimeout(() => { late.style.opacity = 0.5 }, 300)`;
  }),
  late('the end of an animation', (done) => {
    return `late.animate({ opacity: [0, 1] }, 1500).onfinish = () => { ${done} }`;
  }),
  late('a skeleton', (done, { color }) => {
    return `late.style.cssText = 'height: 40px; background: #eee'; setTimeout(() => { late.style.cssText = 'color: ${color}'; ${done} }, 2000)`;
  }),
  late('a splash screen', ({ length }, { word }) => {
    return `late.innerHTML = '<div id="splash" style="position:fixed;inset:0;background:gray">${length > 0 ? word : ''}</div><b>${word}</b>'; setTimeout(() => splash.remove(), 1300)`;
  }),
  late('a toast that goes', (_, { word }) => {
    return `late.innerHTML = '<i id="toast">Saved</i> <b>${word}</b>'; setTimeout(() => toast.remove(), 3000)`;
  }),
];

/** Content that comes over the network. */
export const FETCHED_PAGES = [
  late('a fetch', (done, variant) => `fetch('${wait(900, variant)}').then(() => { ${done} })`),
  late('a slow fetch', (done, variant) => `fetch('${wait(2400, variant)}').then(() => { ${done} })`),
  late('two fetches in a row', (done, variant) => {
    return `fetch('${wait(800, variant)}').then(() => fetch('${wait(800, variant)}')).then(() => { ${done} })`;
  }),
  late('a fetch and a timer', (done, variant) => {
    return `fetch('${wait(500, variant)}').then(() => setTimeout(() => { ${done} }, 1400))`;
  }),
  late('a timer and a fetch', (done, variant) => {
    return `setTimeout(() => fetch('${wait(900, variant)}').then(() => { ${done} }), 700)`;
  }),
  late('an XMLHttpRequest', (done, variant) => {
    return `const x = new XMLHttpRequest(); x.open('GET', '${wait(1200, variant)}'); x.onload = () => { ${done} }; x.send()`;
  }),
  late('a stream of events', (done) => `new EventSource('/events?ms=1300').onmessage = () => { ${done} }`),
  late('a script that is added', (_, { word }) => {
    const body = parameter(`late.textContent = '${word}'`);
    return `const s = document.createElement('script'); s.src = '/wait?ms=1100&type=text/javascript&body=${body}'; setTimeout(() => document.head.append(s), 200)`;
  }),
  late('a module that is imported', (_, { word }) => {
    const body = parameter(`late.textContent = '${word}'`);
    return `import('/wait?ms=1400&type=text/javascript&body=${body}')`;
  }),
  late('a style sheet that is added', (_, { color }) => {
    const body = parameter(`#late { background: ${color} }`);
    return `setTimeout(() => { document.head.insertAdjacentHTML('beforeend', '<link rel="stylesheet" href="/wait?ms=900&type=text/css&body=${body}">') }, 300)`;
  }),
  late('an image that is added', (_, { color }) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40" fill="${color}"/></svg>`;
    return `setTimeout(() => { late.innerHTML = '<img src="/wait?ms=1500&type=image/svg%2Bxml&body=${parameter(svg)}">' }, 300)`;
  }),
  late('a background that is added', (_, { color }) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40" fill="${color}"/></svg>`;
    return `setTimeout(() => { late.style.background = 'url("/wait?ms=1200&type=image/svg%2Bxml&body=${parameter(svg)}")' }, 300)`;
  }),
  late('something busy', (done, variant) => {
    return `late.ariaBusy = 'true'; new Worker(URL.createObjectURL(new Blob(['setTimeout(() => postMessage(1), 3600)']))).onmessage = () => { late.ariaBusy = 'false'; ${show(variant)}; ${done} }`;
  }),
];

const inFrame = ({ word }) =>
  `<body><p id=x>…</p><script>setTimeout(() => { x.textContent = '${word}' }, 1700)</script>`;

/** Content in other trees, and documents that follow. */
export const PLACED_PAGES = [
  {
    name: 'late: a frame',
    body: (variant) => `<iframe src="/echo?body=${parameter(inFrame(variant))}"></iframe>`,
  },
  {
    name: 'late: a frame of another site',
    body: (variant) =>
      `<script>document.write('<iframe src="http://localhost:' + location.port + '/echo?body=${parameter(inFrame(variant))}"></iframe>')</script>`,
  },
  {
    name: 'late: a frame within a frame',
    body: (variant) =>
      `<iframe src="/echo?body=${parameter(`<iframe src="/echo?body=${parameter(inFrame(variant))}">`)}"></iframe>`,
  },
  ...['open', 'closed'].map((mode) => ({
    name: `late: ${mode === 'open' ? 'an' : 'a'} ${mode} shadow root`,
    body: ({ word }) =>
      `<div id="host"></div><script>const r = host.attachShadow({ mode: '${mode}' }); r.innerHTML = '<p>…</p>'; setTimeout(() => { r.firstChild.textContent = '${word}' }, 1600)</script>`,
  })),
  {
    name: 'late: an element that is defined later',
    body: ({ word }) =>
      `<x-late>…</x-late><script>setTimeout(() => customElements.define('x-late', class extends HTMLElement { connectedCallback() { this.textContent = '${word}' } }), 1500)</script>`,
  },
  ...[400, 1500, 2600].map((ms) => ({
    name: `moves on: by script after ${ms} ms`,
    body: ({ word }) =>
      `<p>Wait…</p><script>setTimeout(() => location.replace('/echo?body=${parameter(`<p>${word}</p>`)}'), ${ms})</script>`,
  })),
  {
    name: 'moves on: by refresh',
    body: ({ word }) => `<meta http-equiv="refresh" content="1; url=/echo?body=<p>${word}</p>"><p>Wait…</p>`,
  },
  {
    name: 'moves on: within the document',
    body: (variant) =>
      lateBody(
        `setTimeout(() => { history.pushState(0, '', '#inner'); late.textContent = '…'; setTimeout(() => { ${show(variant)} }, 1100) }, 600)`,
      ),
  },
];
