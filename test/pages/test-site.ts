import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = { status?: number; headers?: http.OutgoingHttpHeaders; body?: string | Buffer };
/** A string is an HTML page. */
export type Route = string | Answer | ((request: IncomingMessage, count: number) => string | Answer);

export type TestSite = {
  origin: string;
  /** May be changed while the site is running. */
  routes: Record<string, Route>;
  /** The requested paths, in order. */
  requests: string[];
  close(): Promise<void>;
};

/** A document with a title and links. */
export const page = (title: string, links: string[] = [], head = ''): string =>
  `<!doctype html><html><head><title>${title}</title>${head}</head><body>${links.map((href) => `<a href="${href}">x</a>`).join(' ')}</body></html>`;

function send(response: ServerResponse, answer: string | Answer): void {
  const { status = 200, headers = {}, body = '' } = typeof answer === 'string' ? { body: answer } : answer;
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
}

/** A real HTTP server on loopback. Paths without a route return 404. */
export async function startTestSite(routes: Record<string, Route>): Promise<TestSite> {
  const site: TestSite = { origin: '', routes, requests: [], close: async () => {} };
  const server = http.createServer((request, response) => {
    const path = request.url ?? '';
    site.requests.push(path);
    const route = site.routes[path] ?? { status: 404, body: 'Not found' };
    const count = site.requests.filter((asked) => asked === path).length;
    send(response, typeof route === 'function' ? route(request, count) : route);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  site.close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return site;
}

export const sitemapOf = (...addresses: string[]): Answer => ({
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${addresses.map((loc) => `<url><loc>${loc}</loc></url>`).join('')}</urlset>`,
});
