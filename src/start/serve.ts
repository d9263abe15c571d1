import { createServer, type RequestListener, type Server } from 'node:http';
import type { Config } from '../config.ts';

export type Served = {
  /** Where it listens. If `PORT` is 0, the system chose the port. */
  url: string;
  /** Requests in progress may finish. */
  stop: () => Promise<void>;
};

/**
 * Idle connections stay open for longer than proxies keep them (nginx and the load balancers of clouds: 60 s).
 * Otherwise a proxy sometimes sends a request on a connection that is being closed, and answers 502.
 */
const KEEP_ALIVE_MS = 75_000;
/** How long a request may take to arrive: 512 MiB of a built site at 2.5 Mbit/s. Its headers have a minute. */
const ARRIVE_MS = 30 * 60_000;
/** How long requests in progress get to finish. */
const REQUEST_DRAIN_MS = 10_000;

async function listen(server: Server, { host, port }: Pick<Config, 'host' | 'port'>): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

async function close(server: Server): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), REQUEST_DRAIN_MS);
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeIdleConnections();
  });
  clearTimeout(cut);
}

/** @throws the error of the system when it cannot listen there. */
export async function serve(app: RequestListener, config: Pick<Config, 'host' | 'port'>): Promise<Served> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: ARRIVE_MS }, app);
  const port = await listen(server, config);
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return { url: `http://${host}:${port}`, stop: async () => close(server) };
}
