import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FORBIDDEN_PATH } from './site-changes.ts';
import type { SiteVersion } from './site-changes.ts';
import { layOut } from './site-layout.ts';
import { missingPage, buildPages, staffPage } from './demo-pages.ts';
import { styleSheet } from './site-style.ts';

type Answer = { status: number; type: string; body: string };

function sitemap(version: SiteVersion, origin: string): string {
  const urls = buildPages(version).map((page) => `  <url><loc>${origin}${page.path}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
}

/** The response of one version of the site to a path. `origin` is used in the sitemap and robots.txt. */
export function buildAnswer(version: SiteVersion, path: string, origin: string): Answer {
  switch (path) {
    case '/site.css':
      return { status: 200, type: 'text/css', body: styleSheet };
    case '/robots.txt':
      return {
        status: 200,
        type: 'text/plain',
        body: `User-agent: *\nDisallow: ${FORBIDDEN_PATH}\nSitemap: ${origin}/sitemap.xml\n`,
      };
    case '/sitemap.xml':
      return { status: 200, type: 'application/xml', body: sitemap(version, origin) };
    default: {
      const page = [...buildPages(version), staffPage()].find((candidate) => candidate.path === path);
      return { status: page === undefined ? 404 : 200, type: 'text/html', body: layOut(page ?? missingPage()) };
    }
  }
}

function respond(version: SiteVersion, request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  const origin = `http://${request.headers.host ?? 'localhost'}`;
  const path = (request.url ?? '/').replace(/[?#].*$/s, '');
  const { status, type, body } = buildAnswer(version, path, origin);
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

export type RunningSite = { origin: string; stop(): Promise<void> };

/** Serves one version of the site on a free loopback port. */
export async function startSite(version: SiteVersion): Promise<RunningSite> {
  const server = createServer((request, response) => respond(version, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The demonstration site has no port');
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
