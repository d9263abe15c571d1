import {
  asUrl,
  box,
  lateBody,
  lateImage,
  latePage,
  lateStyle,
  moves,
  parameter,
  stillSvg,
  tall,
} from './corpus-page.js';

const FORMATS = ['gif', 'webp', 'png'];
const moving = (format, { color }) => `/moving?format=${format}&color=${parameter(color)}`;

/** Where a moving image may be drawn. Each is given its address. */
const PLACES = {
  'a list style': (url) => `<ul style="padding-left:90px"><li style="list-style-image:url('${url}')">Item</li></ul>`,
  'a border image': (url) => `<p style="border:12px solid;border-image:url('${url}') 10">Text</p>`,
  'a mask': (url) => `<p style="height:60px;background:teal;mask-mode:luminance;mask-image:url('${url}')">Text</p>`,
  'a pseudo-element': (url) => `<style>p::before { content: url("${url}") }</style><p>Text</p>`,
  'a shape in SVG': (url) => `<svg width="100" height="60"><image href="${url}" width="100" height="60"/></svg>`,
  'a button': (url) => `<input type="image" src="${url}">`,
  'a poster': (url) => `<video poster="${url}" width="120" height="80"></video>`,
  'an object': (url) => `<object data="${url}"></object>`,
  'a picture': (url) => `<picture><source srcset="${url}"><img></picture>`,
  'a cursor': (url, { word }) => `<p style="cursor:url('${url}'), auto">${word}</p>`,
};

const animatedSvg = ({ color }) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="30" height="40" fill="${color}"><animateTransform attributeName="transform" type="translate" values="0;90;0" dur="1.1s" repeatCount="indefinite"/></rect></svg>`;

const styledSvg = ({ color }, animation) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><style>@keyframes slide { to { transform: translateX(90px) } } rect { animation: slide ${animation} }</style><rect width="30" height="40" fill="${color}"/></svg>`;

const served = (svg) => `/wait?ms=0&type=image/svg%2Bxml&body=${parameter(svg)}`;

/** Images that move, in all the places where a page can have one. */
export const IMAGE_PAGES = [
  ...FORMATS.map((format) =>
    moves(`a ${format} beside text`, (variant) => `Text <img src="${moving(format, variant)}">`),
  ),
  moves('an APNG as background', (variant) => {
    return `<div style="height:60px;background:url('${moving('png', variant)}')"></div>`;
  }),
  ...Object.entries(PLACES).map(([place, body], index) =>
    moves(`an image as ${place}`, (variant) => body(moving(FORMATS[index % 3] ?? 'gif', variant), variant)),
  ),
  moves('an image in an image', (variant) => {
    const whole = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60"><foreignObject width="120" height="60"><img xmlns="http://www.w3.org/1999/xhtml" src="${asUrl(animatedSvg(variant))}"/></foreignObject></svg>`;
    return `<img src="${asUrl(whole)}">`;
  }),
  moves('an image drawn on a canvas', (variant) => {
    return `<canvas id="c" width="90" height="60"></canvas><img id="i" hidden src="${moving('gif', variant)}"><script>const x = c.getContext('2d'); i.onload = () => setTimeout(() => x.drawImage(i, 0, 0), 700)</script>`;
  }),
  ...Object.entries(PLACES)
    .slice(0, 6)
    .map(([place, body]) => moves(`an SVG as ${place}`, (variant) => body(served(animatedSvg(variant)), variant))),
  moves('a part of an SVG image with an endless style', (variant) => {
    const whole = styledSvg(variant, '1s infinite').replace('<rect', '<view id="part" viewBox="0 0 60 40"/><rect');
    return `<img src="${served(whole)}#part">`;
  }),
  moves('an SVG image with an endless style', (variant) => `<img src="${served(styledSvg(variant, '1s infinite'))}">`),
  moves('an SVG image with a style that ends', (variant) => {
    return `<img src="${served(styledSvg(variant, '2s forwards'))}">`;
  }),
  moves('an SVG background with an endless style', (variant) => {
    return `<div style="height:40px;background:url('${served(styledSvg(variant, '1s infinite'))}')"></div>`;
  }),
  moves('an SVG background with an endless style that is important', (variant) => {
    return `<style>p { width: 120px; height: 40px; background: url("${served(styledSvg(variant, '1s infinite'))}") !important }</style><p></p>`;
  }),
  moves('an SVG in its address with an endless style', (variant) => {
    return `<img src="${asUrl(styledSvg(variant, '1.3s infinite alternate'))}">`;
  }),
  moves('an SVG background in its address with an endless style', (variant) => {
    return `<style>p { height: 40px; background: url("${asUrl(styledSvg(variant, '1.3s infinite alternate'))}") no-repeat }</style><p></p>`;
  }),
  moves(
    'an SVG in a frame of its own',
    (variant) => `<iframe src="${served(styledSvg(variant, '1s infinite'))}"></iframe>`,
  ),
  moves('an SVG in the document with an endless style', (variant) => styledSvg(variant, '1s infinite')),
  moves('an SVG whose parts are used elsewhere', ({ color }) => {
    return `<svg width="0" height="0"><symbol id="y"><rect width="30" height="40" fill="${color}"><animate attributeName="x" values="0;90" dur="1s" repeatCount="indefinite"/></rect></symbol></svg><svg width="130" height="40"><use href="#y"/></svg>`;
  }),
  moves('an SVG that is animated by script', ({ color }) => {
    return `<svg width="200" height="40"><rect id="r" width="30" height="40" fill="${color}"/></svg><script>let n = 0; const k = setInterval(() => { r.setAttribute('x', n += 10); if (n >= 150) clearInterval(k) }, 120)</script>`;
  }),
  moves('an SVG whose line draws itself', ({ color }) => {
    return `<style>@keyframes draw { to { stroke-dashoffset: 0 } } path { stroke-dasharray: 300; stroke-dashoffset: 300; animation: draw 3s linear forwards }</style><svg width="220" height="60"><path d="M10 30 H210" stroke="${color}" stroke-width="8"/></svg>`;
  }),
  moves('images that take turns by fading', (variant) => {
    const image = (delay) =>
      `<img style="position:absolute;animation:fade 6s ${delay}s infinite" src="${asUrl(stillSvg(variant))}">`;
    return `<style>@keyframes fade { 0%, 30% { opacity: 1 } 50%, 90% { opacity: 0 } }</style><div style="height:50px">${image(0)}${image(3)}</div>`;
  }),
  moves('images that take turns by their address', (variant) => {
    const other = asUrl(stillSvg({ color: '#999' }));
    return `<img id="i"><script>let n = 0; const t = ['${asUrl(stillSvg(variant))}', '${other}']; const f = () => { i.src = t[(n += 1) % 2] }; f(); setInterval(f, 700)</script>`;
  }),
];

/** Images that come late, each in its own way. */
export const LATE_IMAGE_PAGES = [
  latePage('an image of the document', (variant) => `<img src="${lateImage(1200, variant)}">`),
  latePage('an image without a size', (variant) => `<img src="${lateImage(900, variant)}"><p>Below</p>`),
  latePage(
    'an image that is decoded on the side',
    (variant) => `<img decoding="async" src="${lateImage(800, variant)}">`,
  ),
  latePage('an image that is decoded before it is shown', (variant) => {
    return `<div id="late"></div><script>const i = new Image(); i.src = '${lateImage(1100, variant)}'; i.decode().then(() => late.append(i))</script>`;
  }),
  latePage('a blurred image until the sharp one is there', (variant) => {
    return `<img id="i" style="filter:blur(9px);transition:filter 1s" src="${asUrl(stillSvg({ color: '#888' }))}"><script>const l = new Image(); l.onload = () => { i.src = l.src; i.style.filter = 'none' }; l.src = '${lateImage(1300, variant)}'</script>`;
  }),
  latePage('an image whose address is in its data', (variant) => {
    return tall(
      `<img id="i" width="120" height="40" data-src="${lateImage(300, variant)}">`,
      `<script>new IntersectionObserver(([e], o) => { if (e.isIntersecting) { o.disconnect(); i.src = i.dataset.src } }).observe(i)</script>`,
    );
  }),
  latePage('images whose addresses are in their data, below', (variant) => {
    const part = `<div style="height:600px"><img class="lazy" width="120" height="40" data-src="${lateImage(400, variant)}"></div>`;
    return `${part.repeat(4)}<script>const o = new IntersectionObserver((es) => { for (const { isIntersecting, target } of es) if (isIntersecting) { o.unobserve(target); target.src = target.dataset.src; target.style.opacity = 1 } }, { rootMargin: '50px' }); for (const i of document.querySelectorAll('.lazy')) { i.style.cssText = 'opacity:0;transition:opacity .6s'; o.observe(i) }</script>`;
  }),
  latePage('a lazy image in a row that scrolls', (variant) => {
    return `<div style="display:flex;overflow-x:auto"><div style="flex:0 0 3000px">Far</div><img loading="lazy" width="120" height="40" src="${lateImage(400, variant)}"></div><img loading="lazy" width="120" height="40" src="${lateImage(600, variant)}">`;
  }),
  latePage('a lazy image in a box that scrolls', (variant) => {
    return tall(
      '',
      `<div style="height:100px;overflow:auto"><div style="height:30px"></div><img loading="lazy" width="120" height="40" src="${lateImage(500, variant)}"></div>`,
    );
  }),
  latePage('a lazy image that was hidden', (variant) => {
    return `<div id="d" hidden><img loading="lazy" width="120" height="40" src="${lateImage(500, variant)}"></div><script>setTimeout(() => { d.hidden = false }, 900)</script>`;
  }),
  latePage('a background of a late style sheet', (variant) => {
    return `<div id="late" style="height:40px"></div><link rel="stylesheet" href="${lateStyle(300, `#late { background: url("${lateImage(700, variant)}") }`)}">`;
  }),
  latePage('a background of a class that is set', (variant) => {
    return `<style>.on { background: url("${lateImage(800, variant)}") }</style><div id="d" style="height:40px"></div><script>setTimeout(() => { d.className = 'on' }, 800)</script>`;
  }),
  latePage('an image that fails, then another', (variant) => {
    return `<img width="120" height="40" src="/none.png" onerror="this.onerror = null; this.src = '${lateImage(900, variant)}'">`;
  }),
  latePage('an image of a blob', (variant) => {
    return `<img id="i"><script>fetch('${lateImage(1000, variant)}').then((r) => r.blob()).then((b) => { i.src = URL.createObjectURL(b) })</script>`;
  }),
  latePage('an image on a canvas', (variant) => {
    return `<canvas id="c" width="130" height="50"></canvas><script>const i = new Image(); i.onload = () => c.getContext('2d').drawImage(i, 0, 0); i.src = '${lateImage(1400, variant)}'</script>`;
  }),
  latePage('a picture whose source depends on the viewport', (variant) => {
    return `<picture><source media="(min-width: 500px)" srcset="${lateImage(700, variant)}"><img src="${lateImage(900, variant)}"></picture>`;
  }),
  latePage('a size that follows its image', (variant) => {
    return `${lateBody(`const i = new Image(); i.onload = () => { late.style.cssText = 'background:${variant.color};width:' + i.naturalWidth + 'px;height:' + i.naturalHeight + 'px' }; i.src = '${lateImage(800, variant)}'`)}${box(variant)}`;
  }),
];
