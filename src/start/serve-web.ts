import { createServer, type RequestListener, type Server } from 'node:http';
import { createApi } from '../api/create-api.ts';
import { composeWeb, composeWebhooks } from '../compose.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { webhookReceiver } from '../github/webhooks/webhook-receiver.ts';
import { createApp, type AppParts } from '../http/create-app.ts';
import { webhooksRouter } from '../http/webhooks.ts';
import { createMcp } from '../mcp/create-mcp.ts';
import { createWeb } from '../web/create-web.ts';
import { createStops } from './stops.ts';

/** Pages, API and webhooks at one address. If a step fails, everything already started is stopped again. */
export async function serveWeb(
  base: Context,
  databaseUrl: string,
  parts: Pick<AppParts, 'metrics' | 'capture'>,
): Promise<Served> {
  const stops = createStops();
  try {
    const { ctx, close } = composeWeb(base);
    stops.add(close);
    const webhooks = composeWebhooks(ctx, databaseUrl);
    stops.add(webhooks.close);
    const router = webhooksRouter(webhookReceiver(webhooks.ctx));
    const [api, mcp, web] = [createApi(ctx), createMcp(ctx), await createWeb(ctx)];
    const app = createApp(ctx, { ...parts, api, webhooks: router, mcp, web });
    const served = await serve(app, ctx.config);
    stops.add(served.stop);
    return { ...served, stop: stops.run };
  } catch (error) {
    await stops.run();
    throw error;
  }
}

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
