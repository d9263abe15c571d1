import { lateBody, latePage, lateStyle, tall } from './corpus-page.js';

const face = (name, query, rest = '') => `@font-face { font-family: ${name}; src: url(/font?${query}); ${rest} }`;
const sized = ({ word }) => (word === 'Amber' ? 'size-adjust: 100%' : 'size-adjust: 130%');
const text = (css, words = 'Some words') => `<style>${css} p { font: 20px B, sans-serif }</style><p>${words}</p>`;

/** Fonts that come late, or are told of late. */
export const FONT_PAGES = [
  ...['swap', 'block', 'fallback', 'optional', 'auto'].map((display) =>
    latePage(`a font shown by "${display}"`, (v) =>
      text(face('B', 'ms=700', `${sized(v)}; font-display: ${display}`), v.word),
    ),
  ),
  latePage('a font that takes longer', (v) => text(face('B', 'ms=2600', `${sized(v)}; font-display: swap`))),
  latePage('a font of a late style sheet', (v) => {
    const css = `${face('B', 'ms=600', sized(v))} p { font: 20px B }`;
    return `<p>Some words</p><script>setTimeout(() => { document.head.insertAdjacentHTML('beforeend', '<link rel="stylesheet" href="${lateStyle(500, css)}">') }, 200)</script>`;
  }),
  latePage('a font that a script loads', (v) => {
    return `<p style="font:20px B">Some words</p><script>const f = new FontFace('B', 'url(/font?ms=900)', { sizeAdjust: '${v.word === 'Amber' ? 100 : 130}%' }); f.load().then(() => setTimeout(() => document.fonts.add(f), 500))</script>`;
  }),
  latePage('a font that is waited for', (v) => {
    return `<style>${face('B', 'ms=1200')} .ready p { font: 20px B; background: ${v.color} }</style><p>Some words</p><script>document.fonts.load('20px B').then(() => document.documentElement.classList.add('ready'))</script>`;
  }),
  latePage('a font for late words', (v) => {
    return `<style>${face('B', 'ms=700', sized(v))}</style>${lateBody(`setTimeout(() => { late.innerHTML = '<b style="font:20px B">${v.word}</b>' }, 1200)`)}`;
  }),
  latePage('a font in a shadow root', (v) => {
    return `<style>${face('B', 'ms=1100', sized(v))}</style><div id="host"></div><script>host.attachShadow({ mode: 'closed' }).innerHTML = '<p style="font:20px B">Some words</p>'</script>`;
  }),
  latePage('a font that is not there', (v) => text(`@font-face { font-family: B; src: url(/none.ttf) }`, v.word)),
  latePage('a font of many weights', (v) => {
    const faces = [400, 700].map((weight) => face('B', `ms=${weight}`, `font-weight: ${weight}; ${sized(v)}`)).join('');
    return `<style>${faces} p { font: 20px B }</style><p>Some <b>words</b></p>`;
  }),
  latePage('icons of a font', (v) =>
    tall(`<style>${face('B', 'ms=800', sized(v))} i::before { content: 'x'; font: 20px B }</style><i></i> <i></i>`),
  ),
  latePage('a canvas with a font', (v) => {
    return `<style>${face('B', 'ms=900')}</style><canvas id="c" width="200" height="40"></canvas><script>document.fonts.load('20px B').then(() => { const x = c.getContext('2d'); x.font = '20px B'; x.fillStyle = '${v.color}'; x.fillText('Words', 5, 30) })</script>`;
  }),
];
