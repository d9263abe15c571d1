import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { createApi } from './api/create-api.ts';
import { ensureBrowser } from './capture/ensure-browser.ts';
import { checkBrowser } from './start/check-browser.ts';
import { resealSecrets } from './start/reseal-secrets.ts';
import { composeContext, composeWeb, composeWebhooks } from './compose.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { startEmbeddedPostgres } from './db/embedded-postgres.ts';
import { migrate } from './db/migrate.ts';
import { sweepChecks } from './github/checks/sweep-checks.ts';
import { pruneSignals } from './github/previews/record-signal.ts';
import { pruneDeliveries } from './github/webhooks/prune-deliveries.ts';
import { catchUp } from './github/catch-up/catch-up.ts';
import { sweepEvents } from './github/webhooks/queue-events.ts';
import { webhookReceiver } from './github/webhooks/webhook-receiver.ts';
import { createApp, createWorkerApp } from './http/create-app.ts';
import { createMetrics } from './http/metrics.ts';
import { removeLapsedWindows } from './http/rate-limit-store.ts';
import type { Metrics } from './http/metrics.ts';
import { webhooksRouter } from './http/webhooks.ts';
import { giveUpWith } from './jobs.ts';
import type { Logger } from './logger.ts';
import { parseMetric } from './metric.ts';
import { queueDueCrawls } from './pages/queue-crawl.ts';
import { countJobs } from './queue/count-jobs.ts';
import { installQueue } from './queue/install-queue.ts';
import { putBackBlocked } from './queue/put-back-blocked.ts';
import { queueMaintenance } from './queue/maintain-queue.ts';
import { startSchedule } from './queue/schedule.ts';
import { sweepBuilds } from './runs/builds/sweep-builds.ts';
import { startWorkerThreads } from './queue/worker-threads.ts';
import { createWeb } from './web/create-web.ts';

export type Service = {
  /** Where the service listens. If `PORT` is 0, the system chose the port. */
  url: string;
  /** Stops taking work, lets running work finish or gives it back, and closes everything, the database last. */
  stop: () => Promise<void>;
};

const DUE_CRAWLS_MS = 5_000;
const PRUNE_PREVIEWS_MS = 3_600_000;
const PRUNE_DELIVERIES_MS = 600_000;
const CATCH_UP_MS = 30_000;
const SWEEP_EVENTS_MS = 2_000;
const SWEEP_BUILDS_MS = 3_600_000;
const SWEEP_CHECKS_MS = 60_000;
const LAPSED_ATTEMPTS_MS = 600_000;
/**
 * Idle connections stay open for longer than proxies keep them (nginx and the load balancers of clouds: 60 s). Otherwise a
 * proxy now and then sends a request into a connection that is being closed, and answers it with 502.
 */
const KEEP_ALIVE_MS = 75_000;
/** How long requests in progress get to finish. */
const REQUEST_DRAIN_MS = 10_000;

type Stop = () => Promise<void>;

async function openDatabase(config: Config, log: Logger, onLost: (error: Error) => void): Promise<[string, Stop]> {
  if (config.databaseUrl !== null) return [config.databaseUrl, async () => {}];
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log, onExit: onLost });
  return [embedded.url, () => embedded.stop()];
}

async function listen(server: Server, config: Config): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.port;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return `http://${host}:${port}`;
}

async function close(server: Server): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), REQUEST_DRAIN_MS);
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeIdleConnections();
  });
  clearTimeout(cut);
}

async function startWork(ctx: Context, databaseUrl: string, metrics: Metrics): Promise<Stop> {
  const { config, db, log, clock } = ctx;
  const threads = await startWorkerThreads({
    count: config.workerThreads,
    entry: new URL('./worker-thread.js', import.meta.url),
    workerData: { config, databaseUrl },
    log,
    onBlocked: (blocked) => putBackBlocked(db, blocked, log),
    onMessage: (message) => {
      const metric = parseMetric(message);
      if (metric !== null) metrics.record(metric);
      else log.warn({ message }, 'unknown message from a worker thread');
    },
  });
  const schedule = startSchedule(
    [
      ...queueMaintenance(db, giveUpWith(ctx), log),
      { name: 'queue due crawls', everyMs: DUE_CRAWLS_MS, run: () => queueDueCrawls(ctx) },
      { name: 'prune webhook deliveries', everyMs: PRUNE_DELIVERIES_MS, run: () => pruneDeliveries(ctx) },
      { name: 'catch up with GitHub', everyMs: CATCH_UP_MS, run: () => catchUp(ctx) },
      { name: 'sweep stored events', everyMs: SWEEP_EVENTS_MS, run: () => sweepEvents(ctx) },
      { name: 'prune previews', everyMs: PRUNE_PREVIEWS_MS, run: () => pruneSignals(ctx) },
      { name: 'sweep builds', everyMs: SWEEP_BUILDS_MS, run: () => sweepBuilds(ctx) },
      { name: 'sweep checks', everyMs: SWEEP_CHECKS_MS, run: () => sweepChecks(ctx) },
      {
        name: 'forget lapsed attempts',
        everyMs: LAPSED_ATTEMPTS_MS,
        run: () => removeLapsedWindows(db, clock.now()),
      },
    ],
    log,
  );
  return async () => {
    await schedule.stop();
    await threads.stop();
  };
}

async function createWebApp(base: Context, databaseUrl: string, metrics: Metrics, stops: Stop[]) {
  const { ctx, close: closeWeb } = composeWeb(base);
  stops.push(closeWeb);
  const webhooks = composeWebhooks(ctx, databaseUrl);
  const receiver = webhookReceiver(webhooks.ctx);
  stops.push(async () => {
    await receiver.settled();
    await webhooks.close();
  });
  const router = webhooksRouter((request) => receiver.receive(request));
  return createApp(ctx, { metrics, api: createApi(ctx), webhooks: router, web: await createWeb(ctx) });
}

/**
 * Starts what `ROLE` asks for: database, migrations, web, workers. If a later step fails, everything already started is
 * stopped again.
 * @param onLost called when the embedded database ended by itself. The service can't continue without it.
 */
export async function startService(config: Config, log: Logger, onLost: (error: Error) => void): Promise<Service> {
  const stops: Stop[] = [];
  const stop = async () => {
    for (let next = stops.pop(); next !== undefined; next = stops.pop()) await next();
  };
  try {
    if (config.role !== 'web') {
      await ensureBrowser(config, log);
      await checkBrowser(config, log);
    }
    const [databaseUrl, stopDatabase] = await openDatabase(config, log, onLost);
    stops.push(stopDatabase);
    const { ctx, close: closeContext } = await composeContext(config, databaseUrl, log);
    stops.push(closeContext);
    await migrate(ctx.db, log);
    await installQueue(databaseUrl, log);
    await resealSecrets(ctx);

    const metrics = createMetrics(() => countJobs(ctx.db));
    if (config.role !== 'web') stops.push(await startWork(ctx, databaseUrl, metrics));
    const app =
      config.role === 'worker' ? createWorkerApp(ctx, metrics) : await createWebApp(ctx, databaseUrl, metrics, stops);
    const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, app);
    const url = await listen(server, config);
    stops.push(() => close(server));
    log.info({ url, role: config.role, publicUrl: config.publicUrl }, 'pixelgate is running');
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
