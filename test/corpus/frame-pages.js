import { box, lateImage, latePage, moves, parameter, SPIN, tall } from './corpus-page.js';

const spinning = (variant) => `<style>${SPIN} .box { animation: spin 1s infinite }</style>${box(variant)}`;
const lateWord = ({ word }, ms = 1500) =>
  `<p id="x">…</p><script>setTimeout(() => { x.textContent = '${word}' }, ${ms})</script>`;
const attribute = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const source = (body) => `/echo?body=${parameter(body)}`;

/** Frames of every kind, and trees in the shadow. */
export const FRAME_PAGES = [
  moves('a frame with its document in an attribute', (v) => `<iframe srcdoc="${attribute(spinning(v))}"></iframe>`),
  latePage('a frame with its document in an attribute', (v) => `<iframe srcdoc="${attribute(lateWord(v))}"></iframe>`),
  latePage('a frame in a sandbox', (v) => `<iframe sandbox="allow-scripts" src="${source(lateWord(v))}"></iframe>`),
  moves('a frame in a sandbox', (v) => `<iframe sandbox="allow-scripts" srcdoc="${attribute(spinning(v))}"></iframe>`),
  latePage('a frame that is written', (v) => {
    return `<iframe id="f"></iframe><script>const d = f.contentDocument; setTimeout(() => { d.open(); d.write('<p>${v.word}</p>'); d.close() }, 1300)</script>`;
  }),
  latePage('a frame that is added', (v) => {
    return `<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<iframe src="${source(lateWord(v, 900))}"></iframe>'), 700)</script>`;
  }),
  latePage('a frame that answers late', (v) => {
    return `<iframe src="/wait?ms=1300&type=text/html&body=${parameter(`<p>${v.word}</p>`)}"></iframe>`;
  }),
  latePage('a frame that is lazy', (v) =>
    tall('', `<iframe loading="lazy" src="${source(lateWord(v, 600))}"></iframe>`),
  ),
  latePage('a frame that is lazy and far down', (v) => {
    return tall(tall(tall('')), `<iframe loading="lazy" src="${source(`<p>${v.word}</p>`)}"></iframe>`);
  }),
  latePage('a frame of another site, far down', (v) => {
    return tall(
      '',
      `<script>document.write('<iframe src="http://localhost:' + location.port + '${source(lateWord(v, 700))}"></iframe>')</script>`,
    );
  }),
  latePage('a frame in a sandbox, far down', (v) => {
    const bar = '<p style="position:fixed;left:0;bottom:0;margin:0;background:gold">Cookies</p>';
    return tall(bar, `<iframe sandbox src="${source(`<p>${v.word}</p>`)}"></iframe><p>After</p>`);
  }),
  latePage('a frame in a sandbox, far down, that looks whether it is seen', (v) => {
    const inner = `<p id="x">…</p><script>new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) setTimeout(() => { x.textContent = '${v.word}' }, 300) }).observe(x)</script>`;
    return tall('', `<iframe sandbox="allow-scripts" src="${source(inner)}"></iframe>`);
  }),
  moves('a frame in a sandbox, far down, that draws without end', ({ color }) => {
    const inner = `<canvas id="c" width="200" height="50"></canvas><script>const x = c.getContext('2d'); (function f(t) { x.fillStyle = '${color}'; x.fillRect((t / 9) % 200, 0, 9, 50); requestAnimationFrame(f) })(0)</script>`;
    return tall('', `<iframe sandbox="allow-scripts" src="${source(inner)}"></iframe>`);
  }),
  moves('a frame in a sandbox, far down, with an animation', (v) => {
    return tall('', `<iframe sandbox="allow-scripts" srcdoc="${attribute(spinning(v))}"></iframe>`);
  }),
  latePage('a tall frame in a sandbox', (v) => {
    return `<iframe sandbox style="width:300px;height:2000px" src="${source(`<div style="height:1800px">Top</div><p>${v.word}</p>`)}"></iframe>`;
  }),
  latePage('a frame that fits its height', (v) => {
    const inner = `${lateWord(v, 900)}<script>new ResizeObserver(() => parent.postMessage(document.body.scrollHeight)).observe(document.body)</script>`;
    return `<iframe id="f" src="${source(inner)}"></iframe><script>onmessage = ({ data }) => { f.style.height = data + 40 + 'px' }</script>`;
  }),
  latePage('a frame that moves on', (v) => {
    return `<iframe src="${source(`<p>…</p><script>setTimeout(() => location.replace('${source(`<p>${v.word}</p>`)}'), 900)</script>`)}"></iframe>`;
  }),
  latePage('an image in a frame', (v) => `<iframe src="${source(`<img src="${lateImage(1200, v)}">`)}"></iframe>`),
  moves('a frame with a smooth scroller', ({ word }) => {
    const inner = `<div style="height:900px">Top</div><p id="t">${word}</p><script>setTimeout(() => t.scrollIntoView({ behavior: 'smooth' }), 300)</script>`;
    return `<iframe src="${source(inner)}"></iframe>`;
  }),
  moves('a frame of another site that counts', ({ word }) => {
    const inner = `<p id="x"></p><script>let n = 0; const k = setInterval(() => { x.textContent = '${word} ' + (n += 1); if (n === 12) clearInterval(k) }, 150)</script>`;
    return `<script>document.write('<iframe src="http://localhost:' + location.port + '${source(inner)}"></iframe>')</script>`;
  }),
  moves('a frame with a caret', ({ word }) => `<iframe src="${source(`<input autofocus value="${word}">`)}"></iframe>`),
  moves('a frame with an image that moves', ({ color }) => {
    return `<iframe src="${source(`<img src="/moving?format=gif&color=${color}">`)}"></iframe>`;
  }),
  moves('a frame that draws without end', ({ color }) => {
    const inner = `<canvas id="c" width="200" height="50"></canvas><script>const x = c.getContext('2d'); (function f(t) { x.fillStyle = '${color}'; x.fillRect((t / 9) % 200, 0, 9, 50); requestAnimationFrame(f) })(0)</script>`;
    return `<iframe src="${source(inner)}"></iframe>`;
  }),
  ...['open', 'closed'].flatMap((mode) => [
    moves(`a declared ${mode} shadow root with an animation`, (v) => {
      return `<div><template shadowrootmode="${mode}">${spinning(v)}</template></div>`;
    }),
    moves(`a declared ${mode} shadow root with an animation that ends`, (v) => {
      return `<div><template shadowrootmode="${mode}"><style>${SPIN} .box { animation: spin 3s forwards }</style>${box(v)}</template></div>`;
    }),
    moves(`a declared ${mode} shadow root with a moving SVG`, ({ color }) => {
      return `<div><template shadowrootmode="${mode}"><svg width="120" height="40"><rect width="30" height="40" fill="${color}"><animate attributeName="x" values="0;90" dur="1s" repeatCount="indefinite"/></rect></svg></template></div>`;
    }),
    latePage(`an element with a declared ${mode} shadow root`, ({ word }) => {
      return `<x-one><template shadowrootmode="${mode}"><p>…</p></template></x-one><script>setTimeout(() => customElements.define('x-one', class extends HTMLElement { connectedCallback() { const r = this.attachInternals().shadowRoot; setTimeout(() => { r.firstChild.textContent = '${word}' }, 900) } }), 300)</script>`;
    }),
    latePage(`an image in a declared ${mode} shadow root`, (v) => {
      return `<div><template shadowrootmode="${mode}"><img src="${lateImage(900, v)}"></template></div>`;
    }),
  ]),
  moves('an animation in a shadow root in a shadow root', (v) => {
    return `<div id="host"></div><script>const r = host.attachShadow({ mode: 'closed' }); r.innerHTML = '<div></div>'; r.firstChild.attachShadow({ mode: 'closed' }).innerHTML = '${spinning(v)}'</script>`;
  }),
  moves('an animation in a part that is given to a slot', (v) => {
    return `<style>${SPIN} .box { animation: spin 1s infinite }</style><div id="host">${box(v)}</div><script>host.attachShadow({ mode: 'closed' }).innerHTML = '<slot></slot>'</script>`;
  }),
];
