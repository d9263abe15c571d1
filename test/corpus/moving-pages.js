import { asUrl, box, lateBody, moves, parameter, show, SPIN, tall } from './corpus-page.js';

const animatedSvg = ({ color }) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="30" height="40" fill="${color}"><animate attributeName="x" from="0" to="90" dur="1s" repeatCount="indefinite"/></rect></svg>`;

/** What never ends, and is stopped. */
export const ENDLESS_PAGES = [
  moves('a GIF', ({ color }) => `<img src="/moving?format=gif&color=${color}">`),
  moves('a GIF as background', ({ color }) => {
    return `<div style="height:60px;background:url('/moving?format=gif&color=${color}')"></div>`;
  }),
  moves('a WebP', ({ color }) => `<img src="/moving?format=webp&color=${color}">`),
  moves('an SVG image', (variant) => `<img src="${asUrl(animatedSvg(variant))}">`),
  moves('an SVG background', (variant) => {
    return `<div style="height:40px;background:url('${asUrl(animatedSvg(variant))}')"></div>`;
  }),
  moves('an SVG in the document', animatedSvg),
  moves('an SVG in an object', (variant) => `<object data="${asUrl(animatedSvg(variant))}"></object>`),
  moves(
    'an endless animation',
    (variant) => `<style>${SPIN} .box { animation: spin 1s infinite }</style>${box(variant)}`,
  ),
  moves('an endless animation of a pseudo-element', ({ word, color }) => {
    return `<style>${SPIN} p::after { content: "${word}"; display: inline-block; background: ${color}; animation: spin 1s infinite alternate }</style><p>Text </p>`;
  }),
  ...['open', 'closed'].map((mode) =>
    moves(`an animation in ${mode === 'open' ? 'an' : 'a'} ${mode} shadow root`, (variant) => {
      return `<div id="host"></div><script>host.attachShadow({ mode: '${mode}' }).innerHTML = '<style>${SPIN} .box { animation: spin 1s infinite }</style>${box(variant)}'</script>`;
    }),
  ),
  moves('an animation in a frame', (variant) => {
    const inner = `<style>${SPIN} .box { animation: spin 1s infinite }</style>${box(variant)}`;
    return `<iframe src="/echo?body=${parameter(inner)}"></iframe>`;
  }),
  moves('an animation in a frame of another site', (variant) => {
    const inner = parameter(`<style>${SPIN} .box { animation: spin 1s infinite }</style>${box(variant)}`);
    return `<script>document.write('<iframe src="http://localhost:' + location.port + '/echo?body=${inner}"></iframe>')</script>`;
  }),
  moves('an animation by script', (variant) => {
    return `${box(variant)}<script>document.querySelector('.box').animate({ transform: ['none', 'translateX(200px)'] }, { duration: 900, iterations: Infinity })</script>`;
  }),
  moves('a marquee', ({ word }) => `<marquee>${word} ${word} ${word}</marquee>`),
  moves('a marquee that goes up and down', ({ word }) => {
    return `<marquee direction="up" behavior="alternate" height="80">${word}</marquee>`;
  }),
  moves('a progress bar without an end', ({ color }) => `<p style="background:${color}"><progress></progress></p>`),
  moves('a caret', ({ word }) => `<input value="${word}" autofocus>`),
  moves('a caret in text', ({ word }) => `<div id="t" contenteditable>${word}</div><script>t.focus()</script>`),
  moves('a selection that comes and goes', ({ word }) => {
    return `<p id="t">${word}</p><script>let on = false; setInterval(() => { on = !on; if (on) getSelection().selectAllChildren(t); else getSelection().removeAllRanges() }, 170)</script>`;
  }),
  moves('a video of a canvas', ({ word }) => {
    return `<p>${word}</p><video id="v" muted autoplay width="100" height="60"></video><script>const c = document.createElement('canvas'); c.width = 100; c.height = 60; const x = c.getContext('2d'); setInterval(() => { x.fillStyle = 'hsl(' + performance.now() % 360 + ' 80% 50%)'; x.fillRect(0, 0, 100, 60) }, 30); v.srcObject = c.captureStream()</script>`;
  }),
  moves('a view transition', (variant) => {
    return `<style>::view-transition-new(root), ::view-transition-old(root) { animation-duration: 30s }</style>${lateBody(`addEventListener('load', () => document.startViewTransition(() => { ${show(variant)} }))`)}`;
  }),
  moves('a frame loop that changes nothing', ({ word }) => {
    return `<p>${word}</p><script>(function f() { requestAnimationFrame(f) })()</script>`;
  }),
  moves(
    'a poll that changes nothing',
    ({ word }) => `<p>${word}</p><script>setInterval(() => document.title, 100)</script>`,
  ),
  moves('a script that is asked for again and again', ({ word }) => {
    return `<p>${word}</p><script>setInterval(() => { const s = document.createElement('script'); document.head.append(s); s.remove() }, 200)</script>`;
  }),
];

const scroller = ({ word, color }) =>
  `<div id="s" style="height:80px;width:200px;overflow:auto"><div style="height:900px;background:linear-gradient(#fff,${color})">Top</div><p>${word}</p></div>`;

/** What never ends and can't be stopped but by the clock. */
export const RESTLESS_PAGES = [
  moves('a canvas that is drawn without end', ({ color }) => {
    return `<canvas id="c" width="300" height="60"></canvas><script>const x = c.getContext('2d'); (function f(t) { x.fillStyle = '#fff'; x.fillRect(0, 0, 300, 60); x.fillStyle = '${color}'; x.fillRect((t / 7) % 280, 20 + 20 * Math.sin(performance.now() / 400), 20, 20); requestAnimationFrame(f) })(0)</script>`;
  }),
  moves('a number that counts without end', ({ word }) => {
    return lateBody(`let n = 0; setInterval(() => { late.textContent = '${word} ' + (n += 1) }, 60)`);
  }),
  moves('slides', ({ word }) => {
    return lateBody(
      `let n = 0; const t = ['one', 'two', '${word}']; setInterval(() => { late.textContent = t[(n += 1) % 3] + '${word}' }, 2200)`,
    );
  }),
  moves('a text that blinks', ({ word }) => {
    return `<p id="t">${word}</p><script>setInterval(() => { t.hidden = !t.hidden }, 400)</script><p>${word}</p>`;
  }),
];

/** What ends by itself. */
export const ENDING_PAGES = [
  moves('text that is typed once', ({ word }) => {
    return lateBody(
      `const t = '${word} and more'; let n = 0; (function f() { late.textContent = t.slice(0, n += 1); if (n < t.length) setTimeout(f, 120) })()`,
    );
  }),
  moves('a field that is typed into', ({ word }) => {
    return `<input id="i"><script>const t = '${word} and more'; let n = 0; const k = setInterval(() => { i.value = t.slice(0, n += 1); if (n >= t.length) clearInterval(k) }, 150)</script>`;
  }),
  moves('a number that counts up', ({ color, word }) => {
    return `<b style="color:${color}">${word}</b> ${lateBody(
      `const t = performance.now(); (function f() { const p = Math.min(1, (performance.now() - t) / 1800); late.textContent = Math.round(p * ${word.length * 1000}); if (p < 1) requestAnimationFrame(f) })()`,
    )}`;
  }),
  moves('a canvas that counts up', ({ color }) => {
    return `<canvas id="c" width="300" height="40"></canvas><script>const x = c.getContext('2d'); x.fillStyle = '${color}'; const t = performance.now(); (function f() { const p = Math.min(1, (performance.now() - t) / 2200); x.fillRect(0, 0, 300 * p, 40); if (p < 1) requestAnimationFrame(f) })()</script>`;
  }),
  moves('a canvas that is drawn late', ({ color }) => {
    return `<canvas id="c" width="300" height="40"></canvas><script>setTimeout(() => { const x = c.getContext('2d'); x.fillStyle = '${color}'; x.fillRect(0, 0, 300, 40) }, 1800)</script>`;
  }),
  moves('a progress bar that ends', ({ color }) => {
    return `<div style="background:#eee"><div id="b" style="height:20px;width:0;background:${color}"></div></div><script>let n = 0; const k = setInterval(() => { b.style.width = (n += 4) + '%'; if (n >= 100) clearInterval(k) }, 100)</script>`;
  }),
  moves('a progress bar with transitions', ({ color }) => {
    return `<div id="b" style="height:20px;width:5%;background:${color};transition:width 1s"></div><script>for (const n of [1, 2, 3]) setTimeout(() => { b.style.width = n * 30 + '%' }, n * 700)</script>`;
  }),
  moves('a scroller that glides', (variant) => {
    return `${scroller(variant)}<script>addEventListener('load', () => s.scrollTo({ top: 9999, behavior: 'smooth' }))</script>`;
  }),
  moves('a scroller with smooth style', (variant) => {
    return `${scroller(variant)}<script>s.style.scrollBehavior = 'smooth'; setTimeout(() => { s.scrollTop = 9999 }, 900)</script>`;
  }),
  moves('a scroller that is pushed step by step', (variant) => {
    return `${scroller(variant)}<script>const k = setInterval(() => { const y = s.scrollTop; s.scrollTop = y + 40; if (s.scrollTop === y) clearInterval(k) }, 40)</script>`;
  }),
  moves('an element that glides into view', ({ word }) => {
    return `<div style="height:90px;overflow:auto">${'<p>line</p>'.repeat(30)}<p id="t">${word}</p></div><script>setTimeout(() => t.scrollIntoView({ behavior: 'smooth' }), 300)</script>`;
  }),
  moves('a header that follows scrolling', ({ word, color }) => {
    return tall(
      `<header id="h" style="position:sticky;top:0;background:${color};transition:height 2s;height:60px">${word}</header><script>addEventListener('scroll', () => setTimeout(() => { h.style.height = scrollY > 0 ? '30px' : '60px' }, 150))</script>`,
    );
  }),
  moves('parts that stick and are fixed', ({ word, color }) => {
    return tall(
      `<header style="position:sticky;top:0;background:${color}">${word}</header><footer style="position:fixed;bottom:0;left:0;right:0;background:${color}">${word}</footer>`,
    );
  }),
  moves('parts that come into view', ({ word, color }) => {
    return `${tall('')}<p id="t" style="transition:opacity 1s;opacity:0;background:${color}">${word}</p><script>new IntersectionObserver((e) => { if (e[0].isIntersecting) setTimeout(() => { t.style.opacity = 1 }, 500) }).observe(t)</script>`;
  }),
  moves('rules that are inserted', ({ color }) => {
    return `<style id="s"></style><p>Text</p><script>let n = 0; const k = setInterval(() => { n += 1; s.sheet.insertRule('p { padding: ' + n * 4 + 'px; background: ${color} }', n - 1); if (n === 9) clearInterval(k) }, 250)</script>`;
  }),
  moves('a mark that is set', ({ word }) => {
    return `<label><input id="i" type="checkbox"> ${word}</label><script>setTimeout(() => { i.checked = true }, 1400)</script>`;
  }),
  moves('images that are late and lazy', ({ color }) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40" fill="${color}"/></svg>`;
    return `${tall('')}<img loading="lazy" width="80" height="40" src="/wait?ms=700&type=image/svg%2Bxml&body=${parameter(svg)}">`;
  }),
];
