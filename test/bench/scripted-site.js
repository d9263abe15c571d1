import { setTimeout as pause } from 'node:timers/promises';
import { listen } from './listen.js';

export const SCRIPTED_PAGES = 30;
const DATA_MS = 120;
const PART_MS = 350;
const POLL_MS = 2000;

const SCRIPT = `
  const root = document.getElementById('root');
  const page = location.pathname.slice(1);
  const add = (html) => root.insertAdjacentHTML('beforeend', html);
  fetch('/data/' + page).then((answer) => answer.json()).then(({ title, parts }) => {
    add('<h1>' + title + '</h1>');
    for (const part of parts) add('<section><img loading="lazy" width="64" height="64" src="/picture/' + part + '.svg"><p>' + part + '</p></section>');
  });
  setTimeout(() => add('<aside>News of page ' + page + '</aside>'), ${PART_MS});
  setInterval(async () => {
    const { unread } = await (await fetch('/poll')).json();
    if (unread > 0) add('<b>' + unread + '</b>');
  }, ${POLL_MS});
`;

const STYLE = `
  body { font: 16px/1.5 sans-serif; margin: 40px; } section { display: flex; gap: 16px; border-bottom: 1px solid #ddd; }
  aside { padding: 12px; background: #eef; border-radius: 6px; }
`;

const partsOf = (page) => Array.from({ length: 10 + (page % 5) * 6 }, (_, i) => `Part ${i} of page ${page}`);
const svg = (name) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="${10 + (name.length % 5) * 4}" fill="teal"/></svg>`;

/** @returns the type and text of what is served at a path. */
async function answer(pathname) {
  const [, kind, name = ''] = pathname.split('/');
  if (kind === 'app.js') return ['text/javascript', SCRIPT];
  if (kind === 'app.css') return ['text/css', STYLE];
  if (kind === 'poll') return ['application/json', '{"unread":0}'];
  if (kind === 'picture') return ['image/svg+xml', svg(name)];
  if (kind === 'data') {
    await pause(DATA_MS);
    return ['application/json', JSON.stringify({ title: `Page ${name}`, parts: partsOf(Number(name)) })];
  }
  const head = `<title>${kind}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/app.css">`;
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}</head><body><div id="root"></div><script src="/app.js"></script></body></html>`;
  return ['text/html; charset=utf-8', html];
}

/**
 * Pages as a small framework makes them: an empty root, data that come a little later, a part that comes after a while, lazy
 * pictures, and a poll that changes nothing.
 */
export async function startScriptedSite() {
  return listen((request, response) => {
    void answer(new URL(request.url ?? '/', 'http://site').pathname).then(([type, text]) =>
      response.writeHead(200, { 'content-type': type }).end(text),
    );
  });
}
