import { box, late, lateBody, moves, show, SPIN } from './corpus-page.js';

const styled = (name, css, inner = box) => moves(name, (v) => `<style>${SPIN} ${css(v)}</style>${inner(v)}`);

/** Motion by style, by the browser's own means. */
export const STYLE_PAGES = [
  styled('an animation that ends', () => '.box { animation: spin 2s forwards }'),
  styled('an animation that ends where it began', () => '.box { animation: spin 2s }'),
  styled('an animation that begins late', () => '.box { animation: spin 1s 2.5s both }'),
  styled('an animation that begins late and never ends', () => '.box { animation: spin 1s 1.5s infinite alternate }'),
  styled('an animation in steps', () => '.box { animation: spin 2s steps(7) infinite }'),
  styled('an animation that is paused', () => '.box { animation: spin 2s -0.7s paused infinite }'),
  styled('an animation that is played backwards', () => '.box { animation: spin 1.2s reverse infinite both }'),
  styled(
    'an animation of a color',
    ({ color }) => `@keyframes c { to { background: ${color} } } .box { animation: c 1s infinite alternate }`,
  ),
  styled(
    'an animation of sizes',
    () => '@keyframes g { to { width: 220px; height: 90px } } .box { animation: g 1.5s infinite alternate }',
  ),
  styled(
    'an animation that moves the page',
    () => '@keyframes g { to { margin-top: 120px } } .box { animation: g 3s forwards }',
    (v) => `${box(v)}<p>Below</p>`,
  ),
  styled(
    'an animation of a gradient',
    ({ color }) =>
      `@keyframes b { to { background-position: 300px 0 } } .wide { height: 60px; background: linear-gradient(90deg, ${color}, #fff, ${color}) 0 / 300px; animation: b 3s linear infinite }`,
    () => '<div class="wide"></div>',
  ),
  styled(
    'an animation of a registered property',
    ({ color }) =>
      `@property --turn { syntax: '<angle>'; inherits: false; initial-value: 0deg } @keyframes p { to { --turn: 360deg } } .wide { height: 60px; background: conic-gradient(from var(--turn), ${color}, #fff); animation: p 2s linear infinite }`,
    () => '<div class="wide"></div>',
  ),
  styled(
    'an animation of a filter',
    () => '@keyframes f { to { filter: blur(4px) hue-rotate(90deg) } } .box { animation: f 1s infinite alternate }',
  ),
  styled(
    'an animation of a shape',
    () =>
      '@keyframes s { from { clip-path: circle(10%) } to { clip-path: circle(90%) } } .box { animation: s 1s infinite alternate }',
  ),
  styled(
    'an animation of a path',
    () =>
      '.box { offset-path: path("M0 0 L200 60"); animation: o 2s infinite } @keyframes o { to { offset-distance: 100% } }',
  ),
  styled(
    'an animation of content',
    ({ word }) =>
      `@keyframes d { 0% { content: '.' } 50% { content: '..' } 100% { content: '...' } } p::after { content: ''; animation: d 1s infinite } p::before { content: '${word}' }`,
    () => '<p></p>',
  ),
  styled(
    'an animation of a font',
    () => '@keyframes w { to { letter-spacing: 9px; font-size: 30px } } .box { animation: w 1s infinite alternate }',
  ),
  styled(
    'an animation of many parts',
    () => 'i { display: inline-block; width: 9px; height: 9px; background: teal; animation: spin 1s infinite }',
    (v) => `${'<i></i>'.repeat(60)}${box(v)}`,
  ),
  styled(
    'an animation of parts one after the other',
    ({ color }) =>
      `i { display: inline-block; width: 9px; height: 30px; background: ${color}; animation: g 1s infinite alternate } @keyframes g { to { scale: 1 .2 } }`,
    () => Array.from({ length: 9 }, (_, n) => `<i style="animation-delay:${n * 130}ms"></i>`).join(' '),
  ),
  styled(
    'an animation in three dimensions',
    () =>
      '@keyframes d { to { transform: rotateY(360deg) } } .room { perspective: 300px } .box { animation: d 2s linear infinite }',
    (v) => `<div class="room">${box(v)}</div>`,
  ),
  styled(
    'an animation with a blend',
    () => '.box { animation: spin 1s infinite; mix-blend-mode: multiply } body { background: #fed }',
  ),
  styled(
    'two animations at once',
    () => '@keyframes o { to { opacity: .2 } } .box { animation: spin 3s infinite, o .7s infinite alternate }',
  ),
  styled(
    'an animation of a backdrop',
    ({ color }) =>
      `@keyframes o { to { opacity: 0 } } dialog::backdrop { background: ${color}; animation: o 1s infinite alternate }`,
    ({ word }) => `<dialog id="d">${word}</dialog><script>d.showModal()</script>`,
  ),
  styled(
    'an animation of a scroll bar',
    ({ color }) =>
      `::-webkit-scrollbar { width: 20px } ::-webkit-scrollbar-thumb { background: ${color}; transition: background 1s }`,
    ({ word }) => `<div style="height:60px;overflow:scroll">${`<p>${word}</p>`.repeat(9)}</div>`,
  ),
  styled(
    'an animation only without reduced motion',
    () => '@media (prefers-reduced-motion: no-preference) { .box { animation: spin 1s infinite } }',
  ),
  styled(
    'a transition at load',
    ({ color }) =>
      `.box { transition: translate 1.5s } .on .box { translate: 150px } .box { outline: 4px solid ${color} }`,
    (v) => `${box(v)}<script>addEventListener('load', () => document.body.classList.add('on'))</script>`,
  ),
  styled(
    'a transition with a delay',
    () => '.box { transition: translate .8s 1.4s } .on .box { translate: 150px }',
    (v) => `${box(v)}<script>setTimeout(() => document.body.classList.add('on'), 100)</script>`,
  ),
  styled(
    'a transition that is a spring',
    () => '.box { transition: translate 2s linear(0, 1.4, .8, 1.1, 1) } .on .box { translate: 150px }',
    (v) => `${box(v)}<script>setTimeout(() => document.body.classList.add('on'), 400)</script>`,
  ),
  styled(
    'a transition to its own height',
    () => ':root { interpolate-size: allow-keywords } .box { overflow: hidden; transition: height 1s }',
    (v) =>
      `${box(v, 'height:0')}<p>Below</p><script>setTimeout(() => { document.querySelector('.box').style.height = 'auto' }, 500)</script>`,
  ),
  styled(
    'a transition that is turned around',
    () => '.box { transition: translate 1s } .on .box { translate: 150px }',
    (v) =>
      `${box(v)}<script>setTimeout(() => document.body.classList.add('on'), 300); setTimeout(() => document.body.classList.remove('on'), 900)</script>`,
  ),
  styled(
    'one transition after the other',
    () => '.box { transition: translate .4s }',
    (v) =>
      `${box(v)}<script>let n = 0; const b = document.querySelector('.box'); b.addEventListener('transitionend', () => { if ((n += 1) < 5) b.style.translate = n * 40 + 'px' }); setTimeout(() => { b.style.translate = '20px' }, 200)</script>`,
  ),
  styled(
    'an animation that is followed by another',
    () => '.box { animation: spin .6s }',
    (v) =>
      `${box(v)}<script>const b = document.querySelector('.box'); let n = 0; b.addEventListener('animationend', () => { if ((n += 1) < 4) { b.style.animation = 'none'; b.offsetWidth; b.style.animation = ''; b.append(n) } })</script>`,
  ),
  styled(
    'an animation whose turns are counted',
    () => '.box { animation: spin .5s infinite }',
    (v) =>
      `${box(v)}<script>const b = document.querySelector('.box'); let n = 0; b.addEventListener('animationiteration', () => { if ((n += 1) < 5) b.append(' ' + n) })</script>`,
  ),
  moves('an animation by script with a rate', (v) => {
    return `${box(v)}<script>const a = document.querySelector('.box').animate({ translate: ['0', '150px'] }, { duration: 3000, fill: 'both' }); a.updatePlaybackRate(0.5)</script>`;
  }),
  moves('an animation by script, backwards', (v) => {
    return `${box(v)}<script>const a = document.querySelector('.box').animate({ translate: ['0', '150px'] }, { duration: 1500, iterations: Infinity, direction: 'alternate' }); a.reverse()</script>`;
  }),
  moves('an animation by script that is reversed', (v) => {
    return `${box(v)}<script>const a = document.querySelector('.box').animate({ translate: ['0', '150px'] }, { duration: 1500, fill: 'both' }); setTimeout(() => a.reverse(), 700)</script>`;
  }),
  moves('an animation by script with a timeline of its own', (v) => {
    return `${box(v)}<script>const e = new KeyframeEffect(document.querySelector('.box'), { translate: ['0', '150px'] }, { duration: 1500, iterations: Infinity, direction: 'alternate' }); new Animation(e, new DocumentTimeline()).play()</script>`;
  }),
  moves('an animation by script in a closed shadow root', (v) => {
    return `<div id="host"></div><script>const r = host.attachShadow({ mode: 'closed' }); r.innerHTML = '${box(v)}'; r.firstChild.animate({ translate: ['0', '150px'] }, { duration: 1000, iterations: Infinity, playbackRate: 1.7 })</script>`;
  }),
  moves('an animation by script of a pseudo-element', ({ word, color }) => {
    return `<style>p::before { content: '${word}'; display: inline-block; background: ${color} }</style><p id="p"></p><script>p.animate({ translate: ['0', '150px'] }, { duration: 1000, iterations: Infinity, pseudoElement: '::before' })</script>`;
  }),
  moves('an animation by script, again and again', (v) => {
    return `${box(v)}<script>const b = document.querySelector('.box'); (function f() { b.animate({ translate: ['0', '150px', '0'] }, 700).onfinish = f })()</script>`;
  }),
  moves('a view transition of one part', (v) => {
    return `<style>#late { view-transition-name: part } ::view-transition-group(part) { animation-duration: 20s }</style>${lateBody(`setTimeout(() => document.startViewTransition(() => { ${show(v)}; late.style.marginLeft = '120px' }), 600)`)}`;
  }),
  moves('a view transition to another document', ({ word }) => {
    return `<style>@view-transition { navigation: auto }</style><p>…</p><script>setTimeout(() => location.replace('/echo?body=<style>@view-transition{navigation:auto}</style><p>${word}</p>'), 500)</script>`;
  }),
  moves('hover styles', (v) => `<style>.box { transition: all 1s } .box:hover { translate: 50px }</style>${box(v)}`),
  moves('a place that is pointed at by the address', ({ word, color }) => {
    return `<style>:target { background: ${color}; transition: background 1s }</style><p id="t">${word}</p><script>setTimeout(() => { location.hash = 't' }, 500)</script>`;
  }),
  moves('styles that depend on the box', ({ word, color }) => {
    return `<style>#o { container-type: inline-size; width: 100px } @container (min-width: 150px) { p { background: ${color} } }</style><div id="o"><p>${word}</p></div><script>setTimeout(() => { o.style.width = '220px' }, 900)</script>`;
  }),
  moves('sizes that follow sizes', ({ word, color }) => {
    return `<div id="a" style="width:100px;background:${color}">${word}</div><script>new ResizeObserver(() => { const w = a.offsetWidth; if (w < 260) setTimeout(() => { a.style.width = w + 20 + 'px' }, 90) }).observe(a)</script>`;
  }),
  moves('sizes that follow each other without end', ({ word }) => {
    return `<div id="a" style="width:100px;background:#eee">${word}</div><script>onerror = () => true; new ResizeObserver(() => { a.style.width = (a.offsetWidth === 100 ? 101 : 100) + 'px' }).observe(a)</script>`;
  }),
  moves('a script that asks about the viewport', ({ word }) => {
    return lateBody(
      `const q = matchMedia('(min-width: 500px)'); const f = () => { late.textContent = '${word} ' + (q.matches ? 'wide' : 'narrow') + innerWidth }; q.onchange = f; addEventListener('resize', f); setTimeout(f, 500)`,
    );
  }),
  moves('a script that asks about motion and color', ({ word }) => {
    return lateBody(
      `late.textContent = '${word} ' + ['(prefers-reduced-motion: reduce)', '(prefers-color-scheme: dark)', '(hover: hover)', 'print'].map((q) => matchMedia(q).matches)`,
    );
  }),
  moves('stripes in a bar of progress', ({ color }) => {
    return `<style>@keyframes m { to { background-position: 80px 0 } } progress { appearance: none; height: 30px } progress::-webkit-progress-value { background: repeating-linear-gradient(90deg, ${color} 0 20px, #fff 20px 40px); animation: m 3s linear infinite }</style><progress value="7" max="10"></progress>`;
  }),
  moves('a bar of progress that fills', ({ color }) => {
    return `<style>progress { appearance: none } progress::-webkit-progress-value { background: ${color}; transition: width 4s linear }</style><progress id="p" value="1" max="10"></progress><script>setTimeout(() => { p.value = 8 }, 300)</script>`;
  }),
  moves('the thumb of a slider that grows', ({ color }) => {
    return `<style>input { appearance: none } ::-webkit-slider-thumb { appearance: none; width: 20px; height: 20px; background: ${color}; transition: scale 4s } .on::-webkit-slider-thumb { scale: 0.5 }</style><input id="i" type="range"><script>setTimeout(() => i.classList.add('on'), 300)</script>`;
  }),
  moves('a hint in a field that fades', ({ word, color }) => {
    return `<style>::placeholder { color: ${color}; transition: opacity 4s } :focus::placeholder { opacity: 0.2 }</style><input autofocus placeholder="${word}">`;
  }),
  moves('details that open slowly', (v) => {
    return `<style>::details-content { opacity: 0; transition: opacity 4s } [open]::details-content { opacity: 1 }</style><details id="d"><summary>More</summary>${box(v)}</details><script>setTimeout(() => { d.open = true }, 300)</script>`;
  }),
  late('a theme that is set late', (_, { color }) => {
    return `document.head.insertAdjacentHTML('beforeend', '<style>:root { color-scheme: light dark; transition: background 1s } .mine { background: ${color} }</style>'); setTimeout(() => document.documentElement.classList.add('mine'), 1200)`;
  }),
  late('a property that is set late', (_, { color }) => {
    return `late.style.cssText = 'height:40px;background:var(--c)'; setTimeout(() => document.documentElement.style.setProperty('--c', '${color}'), 1300)`;
  }),
  late('a sheet that is adopted', (_, { color }) => {
    return `setTimeout(() => { const s = new CSSStyleSheet(); s.replaceSync('p { background: ${color} }'); document.adoptedStyleSheets.push(s) }, 1300)`;
  }),
  late('a sheet that is switched', (_, { color }) => {
    return `document.head.insertAdjacentHTML('beforeend', '<style id="s">p { background: ${color} }</style>'); s.sheet.disabled = true; setTimeout(() => { s.sheet.disabled = false }, 1300)`;
  }),
  late('a rule that is altered', (_, { color }) => {
    return `document.head.insertAdjacentHTML('beforeend', '<style id="s">p { background: #eee }</style>'); setTimeout(() => { s.sheet.cssRules[0].style.background = '${color}' }, 1300)`;
  }),
];
