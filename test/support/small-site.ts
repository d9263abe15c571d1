import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';

export type SmallSite = {
  origin: string;
  /** Path to HTML, or to what answers it; changed by tests while it serves. */
  pages: Map<string, string | ((response: ServerResponse) => void)>;
  /** Paths asked for, in order. */
  requests: string[];
  stop(): Promise<void>;
};

export const html = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`;

/** A site on loopback whose pages a test sets and changes. */
export async function startSmallSite(pages: SmallSite['pages']): Promise<SmallSite> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    requests.push(path);
    const page = pages.get(path);
    if (typeof page === 'function') return page(response);
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(page ?? html('Not found', 'Not found'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The site has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    pages,
    requests,
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
