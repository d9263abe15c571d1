import { listen } from './listen.js';

export const PAGES = 1000;
const LINKS = 10;

const WORDS = 'river lantern harbour quiet signal meadow copper ladder winter orchard velvet engine'.split(' ');

/** The same numbers always give the same words. */
function sentence(page, index) {
  const word = (i) => WORDS[(page * 7 + index * 5 + i * i) % WORDS.length];
  return Array.from({ length: 14 }, (_, i) => word(i)).join(' ');
}

const links = (page) =>
  Array.from({ length: LINKS }, (_, i) => page * LINKS + i + 1)
    .filter((next) => next < PAGES)
    .map((next) => `<li><a href="/page/${next}">Page ${next}</a></li>`)
    .join('');

/**
 * A page of text blocks. `change=small` colors one block. `change=large` adds a line at the top, so that everything
 * below it moves.
 */
function html(page, change) {
  const blocks = Array.from({ length: 12 + (page % 5) * 12 }, (_, i) => {
    const painted = change === 'small' && i === 5 ? ' style="background:#fc8"' : '';
    return `<section${painted}><h2>${i + 1}. ${sentence(page, i).slice(0, 30)}</h2><p>${sentence(page, i)}. ${sentence(i, page)}.</p></section>`;
  });
  const extra = change === 'large' ? '<p style="margin:0;height:9px">.</p>' : '';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${page}</title><link rel="icon" href="data:,">
<style>body{font:16px/1.5 sans-serif;margin:40px;color:#223}section{padding:12px 20px;border-left:6px solid hsl(${(page * 47) % 360} 60% 60%)}
section:nth-child(odd){background:linear-gradient(90deg,#eef,#fff)}</style></head>
<body>${extra}<h1>Page ${page}</h1>${blocks.join('')}<ul>${links(page)}</ul></body></html>`;
}

/** 1,000 pages, linked as a tree, with 12 to 60 blocks of text each. There is no sitemap. */
export async function startGeneratedSite() {
  return listen((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site');
    const page = url.pathname === '/' ? 0 : Number(/^\/page\/(\d+)$/.exec(url.pathname)?.[1] ?? Number.NaN);
    if (!(page < PAGES)) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('No such page');
      return;
    }
    const body = html(page, url.searchParams.get('change'));
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body);
  });
}
