import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';

export type SmallSite = {
  origin: string;
  /** HTML or a handler for each path. Tests may change it while the site runs. */
  pages: Map<string, string | ((response: ServerResponse) => void)>;
  /** The requested paths, in order. */
  requests: string[];
  stop(): Promise<void>;
};

export const html = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`;

/** A site on loopback whose pages a test can change. `deployment`: what its headers call it. */
export async function startSmallSite(pages: SmallSite['pages'], deployment?: string): Promise<SmallSite> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    requests.push(path);
    const page = pages.get(path);
    if (typeof page === 'function') return page(response);
    response.writeHead(page === undefined ? 404 : 200, {
      'content-type': 'text/html; charset=utf-8',
      ...(deployment !== undefined && { 'x-deployment-id': deployment }),
    });
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
