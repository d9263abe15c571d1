import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** What "after" changes on the site, by path. The other pages are the same in every pixel. */
export const CHANGES = {
  '/prices': { planned: 'color change', from: 'class="tariff"', to: 'class="tariff" style="background: #1f6f63"' },
  '/journal': { planned: 'text change', from: 'The piano in carriage four', to: 'The piano has been tuned' },
  '/cabins': {
    planned: 'height change',
    from: '<div class="columns">',
    to: '<h2>New: the observatory cabin</h2><p>One cabin on every train now has a glass roof.</p><div class="columns">',
  },
};

/** Only "after" has it. Nothing links to it. */
export const NEW_PAGE = '/journal/night-swim';

/** robots.txt forbids it to crawlers. It responds like any other page. */
const STAFF_PAGE = '/staff';

export const PAGES = ['/', '/about', '/cabins', '/journal', '/prices', '/timetable'];

/** The suite's `customCss`. It hides the running clock of the timetable, so that the site can be captured. */
export const HIDE_CLOCK = '.clock { visibility: hidden }';

/** @typedef {'before' | 'after'} Version */

const read = (/** @type {string} */ name) => readFileSync(new URL(`site/${name}`, import.meta.url), 'utf8');

/** @param {Version} version @param {string} path */
function buildPage(version, path) {
  const source = read(path === '/' ? 'index.html' : `${path.slice(1)}.html`);
  const [, title = '', lead = ''] = /^<!-- (.*): (.*) -->/.exec(source) ?? [];
  const change = version === 'after' ? Object.entries(CHANGES).find(([changed]) => changed === path)?.[1] : undefined;
  const main = change === undefined ? source : source.replace(change.from, change.to);
  return read('layout.html').replaceAll('{{title}}', title).replace('{{lead}}', lead).replace('{{main}}', main);
}

/** The status, type and text with which a version answers. `origin` is used in the sitemap and robots.txt.
 * @param {Version} version @param {string} path @param {string} origin @returns {[number, string, string]} */
export function answer(version, path, origin) {
  const pages = version === 'after' ? [...PAGES, NEW_PAGE] : PAGES;
  if (pages.includes(path) || path === STAFF_PAGE) return [200, 'text/html', buildPage(version, path)];
  if (path === '/site.css') return [200, 'text/css', read('site.css')];
  if (path === '/night.svg') return [200, 'image/svg+xml', read('night.svg')];
  if (path === '/robots.txt') {
    return [200, 'text/plain', `User-agent: *\nDisallow: ${STAFF_PAGE}\nSitemap: ${origin}/sitemap.xml\n`];
  }
  if (path === '/sitemap.xml') {
    const urls = pages.map((page) => `<url><loc>${origin}${page}</loc></url>`).join('');
    const xmlns = 'http://www.sitemaps.org/schemas/sitemap/0.9';
    return [200, 'application/xml', `<?xml version="1.0"?><urlset xmlns="${xmlns}">${urls}</urlset>`];
  }
  return [404, 'text/plain', 'No such platform'];
}

/** Serves one version of the site on a free loopback port. @param {Version} version */
export async function startSite(version) {
  const server = createServer((request, response) => {
    const { pathname, origin } = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const [status, type, text] = answer(version, pathname, origin);
    response.writeHead(status, { 'content-type': `${type}; charset=utf-8` }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The sample site has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
