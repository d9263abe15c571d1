import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of somebody else, which keeps everything that it gets: addresses, headers, bodies. */
export type Recorder = {
  port: number;
  /** One text for each request, in order. */
  got: string[];
  /** The request lines: `GET /path`. */
  lines(): string[];
  close(): Promise<void>;
};

const textOf = ({ method, url, rawHeaders }: IncomingMessage) => `${method} ${url} ${rawHeaders.join(' ')}`;

export async function startRecorder(): Promise<Recorder> {
  const got: string[] = [];
  const server = createServer((request, response) => {
    const at = got.push(textOf(request)) - 1;
    request.on('data', (chunk: Buffer) => {
      got[at] = `${got[at]} ${chunk.toString()}`;
    });
    request.on('end', () => {
      const origin = request.headers.origin ?? '*';
      response.writeHead(200, { 'access-control-allow-origin': origin, 'content-type': typeOf(request.url ?? '') });
      response.end(request.url?.startsWith('/frame') === true ? FRAME : '');
    });
  });
  server.on('upgrade', (request, socket) => {
    got.push(textOf(request));
    socket.destroy();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    got,
    lines: () => got.map((text) => text.split(' ').slice(0, 2).join(' ')),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

const FRAME = '<!doctype html><img src="/from-frame.png"><p>somebody else</p>';

function typeOf(url: string): string {
  if (url.includes('.css')) return 'text/css';
  if (url.includes('.js')) return 'text/javascript';
  return url.includes('.png') || url.includes('.woff2') ? 'application/octet-stream' : 'text/html';
}
