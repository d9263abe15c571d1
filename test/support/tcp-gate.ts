import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Passes connections on to a server on loopback, until it is shut. */
export type TcpGate = {
  port: number;
  /** Breaks every connection, and refuses new ones until `open`. */
  shut(): void;
  open(): void;
  stop(): Promise<void>;
};

/** @param join passes bytes on between the two ends of a connection. Default: all of them, as they come. */
export async function startTcpGate(
  target: { hostname: string; port: number },
  join: (client: Socket, server: Socket) => void = (client, server) => void client.pipe(server).pipe(client),
): Promise<TcpGate> {
  const sockets = new Set<Socket>();
  let isShut = false;
  const listener = createServer((client) => {
    if (isShut) return void client.destroy();
    const server = connect(target.port, target.hostname);
    const cut = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', cut).on('close', cut).setNoDelay();
      socket.once('close', () => sockets.delete(socket));
    }
    join(client, server);
  });
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('The gate has no port');
  return {
    port: address.port,
    shut() {
      isShut = true;
      breakAll();
    },
    open() {
      isShut = false;
    },
    async stop() {
      breakAll();
      listener.close();
      await once(listener, 'close');
    },
  };
}
