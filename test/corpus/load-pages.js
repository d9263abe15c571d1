import { lateBody, latePage, lateScript, movesOn, parameter, serves } from './corpus-page.js';

/** What never answers. The default time to wait for it would be half a minute. */
const hangs = (name, body) => ({ name: `hangs: ${name}`, body, needs: { timeout: 4000 } });

/** The document, or what it is built from, comes late. */
export const LOAD_PAGES = [
  latePage(
    'a style sheet that blocks',
    (v) =>
      `<link rel="stylesheet" href="/wait?ms=900&type=text/css&body=${parameter(`p { color: ${v.color} }`)}"><p>${v.word}</p>`,
  ),
  latePage(
    'a style sheet that is preloaded',
    (v) =>
      `<link rel="preload" as="style" onload="this.rel='stylesheet'" href="/wait?ms=900&type=text/css&body=${parameter(`p { background: ${v.color} }`)}"><p>Text</p>`,
  ),
  latePage(
    'a style sheet that is printed first',
    (v) =>
      `<link rel="stylesheet" media="print" onload="this.media='all'" href="/wait?ms=1100&type=text/css&body=${parameter(`p { background: ${v.color} }`)}"><p>Text</p>`,
  ),
  latePage(
    'a style sheet of a style sheet',
    (v) =>
      `<style>@import "/wait?ms=700&type=text/css&body=${parameter(`p { background: ${v.color} }`)}";</style><p>Text</p>`,
  ),
  latePage(
    'a script that blocks',
    (v) => `<script src="${lateScript(900, `document.write('<p>${v.word}</p>')`)}"></script>`,
  ),
  latePage(
    'a script that is deferred',
    (v) => `<p id="late">…</p><script defer src="${lateScript(900, `late.textContent = '${v.word}'`)}"></script>`,
  ),
  latePage(
    'a script that is asynchronous',
    (v) => `<p id="late">…</p><script async src="${lateScript(1200, `late.textContent = '${v.word}'`)}"></script>`,
  ),
  latePage('a script that adds a script', (v) => {
    const last = lateScript(600, `late.textContent = '${v.word}'`);
    const first = `const s = document.createElement('script'); s.src = '${last}'; document.body.append(s)`;
    return `<p id="late">…</p><script src="${lateScript(400, first)}"></script>`;
  }),
  latePage(
    'a module that awaits',
    (v) =>
      `<p id="late">…</p><script type="module">await new Promise((r) => setTimeout(r, 1300)); late.textContent = '${v.word}'</script>`,
  ),
  latePage(
    'words after the load event',
    (v) =>
      `<p id="late">…</p><script>addEventListener('load', () => setTimeout(() => { late.textContent = '${v.word}' }, 200))</script>`,
  ),
  latePage(
    'words once the page is shown',
    (v) =>
      `<p id="late">…</p><script>addEventListener('pageshow', () => requestAnimationFrame(() => requestAnimationFrame(() => { late.textContent = '${v.word}' })))</script>`,
  ),
  serves('late: a document that comes in parts', (response, { word }, later) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write(`<!doctype html><title>Corpus</title><link rel="icon" href="data:,"><p>Head</p>${' '.repeat(2000)}`);
    later(700, () => response.write(`<p>${word}</p>`));
    later(1400, () => response.end('<p>End</p>'));
  }),
  serves('late: a document with places that are filled later', (response, { word }, later) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write(
      `<!doctype html><title>Corpus</title><link rel="icon" href="data:,"><div id="a">…</div>${' '.repeat(2000)}`,
    );
    later(1500, () =>
      response.end(`<template id="t"><p>${word}</p></template><script>a.replaceChildren(t.content)</script>`),
    );
  }),
  hangs('an image', (v) => `<p>${v.word}</p><img width="90" height="40" src="/hang">`),
  hangs(
    'a font',
    (v) => `<style>@font-face { font-family: B; src: url(/hang) } p { font: 20px B }</style><p>${v.word}</p>`,
  ),
  hangs('a style sheet', (v) => `<p>${v.word}</p><link rel="stylesheet" href="/hang">`),
  hangs('a script', (v) => `<p>${v.word}</p><script async src="/hang"></script>`),
  hangs('a frame', (v) => `<p>${v.word}</p><iframe src="/hang"></iframe>`),
  hangs('a fetch', (v) => `<p>${v.word}</p><script>fetch('/hang')</script>`),
  hangs('a video', (v) => `<p>${v.word}</p><video width="90" height="60" src="/hang"></video>`),
  hangs('a stream', (v) =>
    lateBody(`new EventSource('/hang'); setTimeout(() => { late.textContent = '${v.word}' }, 900)`),
  ),
  movesOn(
    'to itself, once',
    ({ word }) =>
      `<p>${word}</p><script>if (!sessionStorage.once) { sessionStorage.once = 1; setTimeout(() => location.reload(), 500) } else document.body.append('again')</script>`,
  ),
  movesOn('by a hash', ({ word }) =>
    lateBody(
      `addEventListener('hashchange', () => { late.textContent = '${word} ' + location.hash }); setTimeout(() => { location.hash = 'part' }, 400)`,
    ),
  ),
  movesOn(
    'to a place in the page',
    ({ word }) =>
      `<div style="height:1200px">Top</div><p id="t">${word}</p><script>setTimeout(() => { location.hash = 't' }, 400)</script>`,
  ),
  movesOn('by a replaced state', ({ word }) =>
    lateBody(
      `setTimeout(() => { history.replaceState(0, '', '?view=2'); late.textContent = '${word} ' + location.search }, 400)`,
    ),
  ),
  movesOn(
    'by a form',
    ({ word }) =>
      `<form action="/echo"><input name="body" value="<p>${word}</p>"></form><script>setTimeout(() => document.forms[0].submit(), 400)</script>`,
  ),
  movesOn(
    'by a click',
    ({ word }) => `<a id="a" href="/echo?body=<p>${word}</p>">Go</a><script>setTimeout(() => a.click(), 700)</script>`,
  ),
  movesOn('twice', ({ word }) => {
    const last = `/echo?body=${parameter(`<p>${word}</p>`)}`;
    const middle = `<p>…</p><script>setTimeout(() => { location = '${last}' }, 500)</script>`;
    return `<p>Wait…</p><script>setTimeout(() => { location = '/echo?body=${parameter(middle)}' }, 500)</script>`;
  }),
  movesOn('to a page with late content', ({ word }) => {
    const next = `<p id="t">…</p><script>setTimeout(() => { t.textContent = '${word}' }, 1200)</script>`;
    return `<p>Wait…</p><script>setTimeout(() => location.replace('/echo?body=${parameter(next)}'), 400)</script>`;
  }),
];
