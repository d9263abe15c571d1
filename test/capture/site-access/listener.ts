import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Somebody else, who would learn from anything that arrives: requests, what sockets say, connections, packets. */
export type Listener = {
  port: number;
  /** A port for connections and packets of any kind. */
  rawPort: number;
  /** What has arrived, in order: `GET /path`, `socket text`, `connection`, `packet`. */
  heard: string[];
  close(): Promise<void>;
};

/** The text of a masked frame of a WebSocket, shorter than 126 bytes. */
function textOfFrame(frame: Buffer): string {
  const length = (frame[1] ?? 0) & 0x7f;
  const mask = frame.subarray(2, 6);
  return Buffer.from(frame.subarray(6, 6 + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0))).toString();
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** @param answer what it answers to a path, such as a script. Null: nothing in particular */
export async function startListener(
  answer: (path: string) => string | null,
  accept: (key: string) => string,
): Promise<Listener> {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    heard.push(`${request.method} ${path}`);
    request.on('data', (chunk: Buffer) => heard.push(`body ${chunk.toString()}`));
    const type = path.endsWith('.js')
      ? 'text/javascript'
      : path.startsWith('/events')
        ? 'text/event-stream'
        : 'text/html';
    response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' });
    if (type === 'text/event-stream') response.write(':\n\n');
    else response.end(answer(path) ?? '');
  });
  server.on('connection', (socket) => {
    heard.push('connection');
    sockets.add(socket);
  });
  server.on('upgrade', (request, socket) => {
    heard.push(`UPGRADE ${request.url}`);
    socket.on('data', (frame: Buffer) => heard.push(`socket ${textOfFrame(frame)}`));
    socket.on('error', () => undefined);
    const key = accept(request.headers['sec-websocket-key'] ?? '');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
    );
  });
  const raw = createTcpServer((socket) => {
    heard.push('raw connection');
    socket.on('error', () => undefined);
    sockets.add(socket);
  });
  const packets = createSocket('udp4').on('message', () => heard.push('packet'));
  const [port, rawPort] = [await listening(server), await listening(raw)];
  await new Promise<void>((resolve) => {
    packets.bind(rawPort, '127.0.0.1', resolve);
  });
  return {
    port,
    rawPort,
    heard,
    async close() {
      packets.close();
      raw.close();
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
