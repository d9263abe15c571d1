import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export type Site = {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  /** Serves the HTML, or lets the handler respond. */
  page(path: string, page: string | Handler): string;
  /** How often a path was requested. */
  hits(path: string): number;
  close(): Promise<void>;
};

export const html = (body: string, head = '') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>${head}</head><body>${body}</body></html>`;

/** A small website on loopback whose pages a test defines. Any other path returns 404. */
export async function openSite(): Promise<Site> {
  const pages = new Map<string, string | Handler>();
  const hits = new Map<string, number>();
  const sockets = new Set<Socket>();
  const server: Server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    hits.set(path, (hits.get(path) ?? 0) + 1);
    const page = pages.get(path);
    if (page === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Nothing here</h1>');
    else if (typeof page === 'string') response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    else page(request, response);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    origin,
    page(path, page) {
      pages.set(path, page);
      return `${origin}${path}`;
    },
    hits: (path) => hits.get(path) ?? 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
