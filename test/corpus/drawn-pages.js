import { late, lateImage, moves } from './corpus-page.js';

const canvas = (script, size = 'width="200" height="60"') =>
  `<canvas id="c" ${size}></canvas><script>${script}</script>`;

const GL = `const g = c.getContext('webgl'); const paint = (r, gr, b) => { g.clearColor(r / 255, gr / 255, b / 255, 1); g.clear(g.COLOR_BUFFER_BIT) };`;
const channels = ({ color }) => color.replace('rgb(', '').replace(')', '');

const WORKER_LOOP = (color) =>
  `onmessage = ({ data }) => { const x = data.getContext('2d'); let n = 0; (function f() { n += 1; x.fillStyle = '#fff'; x.fillRect(0, 0, 200, 60); x.fillStyle = '${color}'; x.fillRect((n * 3) % 180, 20, 20, 20); requestAnimationFrame(f) })() }`;
const offscreen = (source) =>
  canvas(
    `const o = c.transferControlToOffscreen(); const w = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(source)}]))); w.postMessage(o, [o])`,
  );

/** What is drawn by script: canvases of all kinds. */
export const DRAWN_PAGES = [
  moves('a canvas that is drawn by an interval, without end', (v) => {
    return canvas(
      `const x = c.getContext('2d'); let n = 0; setInterval(() => { n += 1; x.fillStyle = '#fff'; x.fillRect(0, 0, 200, 60); x.fillStyle = '${v.color}'; x.fillRect((n * 7) % 180, 20, 20, 20) }, 50)`,
    );
  }),
  moves('a canvas that is drawn by an interval, to its end', (v) => {
    return canvas(
      `const x = c.getContext('2d'); let n = 0; x.fillStyle = '${v.color}'; const k = setInterval(() => { x.fillRect(0, 20, n += 5, 20); if (n > 180) clearInterval(k) }, 70)`,
    );
  }),
  moves('a canvas that is drawn slowly', (v) => {
    return canvas(
      `const x = c.getContext('2d'); let n = 0; x.fillStyle = '${v.color}'; setInterval(() => { x.fillRect(0, 20, n = (n + 20) % 200, 20); if (n === 0) x.clearRect(0, 0, 200, 60) }, 900)`,
    );
  }),
  moves('a canvas that is drawn in WebGL without end', (v) => {
    return canvas(
      `${GL} let n = 0; (function f() { n = (n + 3) % 255; paint(n, ${channels(v).split(',').slice(1)}); requestAnimationFrame(f) })()`,
    );
  }),
  late('a canvas drawn in WebGL', (_, v) => {
    return `late.innerHTML = '<canvas id="c" width="200" height="60"></canvas>'; ${GL} setTimeout(() => paint(${channels(v)}), 1600)`;
  }),
  late('a canvas drawn after a fetch', (_, v) => {
    return `late.innerHTML = '<canvas id="c" width="200" height="60"></canvas>'; fetch('/wait?ms=1300&body=1').then(() => { const x = c.getContext('2d'); x.fillStyle = '${v.color}'; x.fillRect(0, 0, 99, 50) })`;
  }),
  late('a canvas drawn after a message', (_, v) => {
    return `late.innerHTML = '<canvas id="c" width="200" height="60"></canvas>'; new WebSocket('ws://' + location.host + '/socket?ms=1500&body=x').onmessage = () => { const x = c.getContext('2d'); x.fillStyle = '${v.color}'; x.fillRect(0, 0, 99, 50) }`;
  }),
  late('a canvas of an image', (_, v) => {
    return `late.innerHTML = '<canvas id="c" width="200" height="60"></canvas>'; fetch('${lateImage(900, v)}').then((r) => r.blob()).then((b) => { const i = new Image(); i.src = URL.createObjectURL(b); return i.decode().then(() => c.getContext('2d').drawImage(i, 0, 0)) })`;
  }),
  moves('a canvas that a worker draws without end', (v) => offscreen(WORKER_LOOP(v.color))),
  moves('a canvas that a busy worker draws without end', (v) => {
    return offscreen(
      WORKER_LOOP(v.color).replace('n += 1;', 'n += 1; for (let i = 0; i < 2e5; i += 1) Math.random();'),
    );
  }),
  moves('a canvas that a worker draws to its end', (v) => {
    return offscreen(
      `onmessage = ({ data }) => { const x = data.getContext('2d'); let n = 0; x.fillStyle = '${v.color}'; (function f() { x.fillRect(0, 20, n += 2, 20); if (n < 180) requestAnimationFrame(f) })() }`,
    );
  }),
  moves('a canvas that a worker draws once', (v) => {
    return offscreen(
      `onmessage = ({ data }) => setTimeout(() => { const x = data.getContext('2d'); x.fillStyle = '${v.color}'; x.fillRect(0, 20, 90, 20) }, 1300)`,
    );
  }),
  moves('a bitmap that a worker sends without end', (v) => {
    const source = `const o = new OffscreenCanvas(200, 60); const x = o.getContext('2d'); let n = 0; setInterval(() => { n += 1; x.fillStyle = '#fff'; x.fillRect(0, 0, 200, 60); x.fillStyle = '${v.color}'; x.fillRect((n * 7) % 180, 20, 20, 20); const b = o.transferToImageBitmap(); postMessage(b, [b]) }, 60)`;
    return canvas(
      `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(source)}]))).onmessage = ({ data }) => c.getContext('bitmaprenderer').transferFromImageBitmap(data)`,
    );
  }),
  moves('particles', (v) => {
    return canvas(
      `const x = c.getContext('2d'); const all = Array.from({ length: 20 }, (_, n) => ({ x: n * 10, y: n * 3, v: 1 + n / 9 })); (function f() { x.clearRect(0, 0, 200, 60); x.fillStyle = '${v.color}'; for (const p of all) { p.x = (p.x + p.v) % 200; x.fillRect(p.x, p.y, 4, 4) } requestAnimationFrame(f) })()`,
    );
  }),
  moves('a canvas that rests behind a loop', (v) => {
    return canvas(
      `const x = c.getContext('2d'); (function f() { x.fillStyle = '${v.color}'; x.fillRect(0, 0, 90, 60); requestAnimationFrame(f) })()`,
    );
  }),
  moves('a canvas whose loop depends on the time that passed', (v) => {
    return canvas(
      `const x = c.getContext('2d'); let last = performance.now(), p = 0; (function f(now) { p = (p + (now - last) * 0.06) % 180; last = now; x.clearRect(0, 0, 200, 60); x.fillStyle = '${v.color}'; x.fillRect(p, 20, 20, 20); requestAnimationFrame(f) })(last)`,
    );
  }),
  moves('a canvas that is part of a style', (v) => {
    return `<div id="d" style="height:60px"></div><script>const c = document.createElement('canvas'); c.width = 200; c.height = 60; const x = c.getContext('2d'); let n = 0; const k = setInterval(() => { x.fillStyle = '${v.color}'; x.fillRect(0, 0, n += 20, 60); d.style.background = 'url(' + c.toDataURL() + ')'; if (n >= 180) clearInterval(k) }, 120)</script>`;
  }),
  moves('a part that follows a loop', (v) => {
    return `<div id="d" style="width:60px;height:40px;background:${v.color}">${v.word}</div><script>(function f(t) { d.style.transform = 'translateX(' + 60 * (1 + Math.sin(t / 500)) + 'px)'; requestAnimationFrame(f) })(0)</script>`;
  }),
  moves('words that are scrambled', (v) => {
    return `<p id="p"></p><script>const t = '${v.word} is here'; let n = 0; const k = setInterval(() => { n += 1; p.textContent = [...t].map((x, i) => (i < n / 2 ? x : String.fromCharCode(97 + (i * 7 + n * 3) % 26))).join(''); if (n > 2 * t.length) clearInterval(k) }, 60)</script>`;
  }),
  moves('words that are typed without end', (v) => {
    return `<p id="p"></p><script>const t = ['${v.word} one', '${v.word} two']; let n = 0; setInterval(() => { n += 1; const w = t[Math.floor(n / 20) % 2]; p.textContent = w.slice(0, Math.min(n % 20, 20 - n % 20)) + '|' }, 80)</script>`;
  }),
];
