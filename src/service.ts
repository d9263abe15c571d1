import { composeContext } from './compose.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { startEmbeddedPostgres } from './db/embedded-postgres.ts';
import { migrate } from './db/migrate.ts';
import { pruneEvents } from './events/record-event.ts';
import { catchUp } from './github/catch-up/redeliver-missed.ts';
import { sweepChecks } from './github/checks/show-check.ts';
import { pruneSignals } from './github/previews/record-signal.ts';
import { pruneDeliveries } from './github/webhooks/store-delivery.ts';
import { createWorkerApp, type AppParts } from './http/create-app.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import { removeLapsedWindows } from './http/rate-limit-store.ts';
import { giveUpWith } from './jobs.ts';
import type { Logger } from './logger.ts';
import { queueDueCrawls } from './pages/crawl/queue-crawl.ts';
import { installQueue } from './queue/install-queue.ts';
import { putBackBlocked, queueMaintenance } from './queue/maintain-queue.ts';
import { parseMetric } from './queue/metric.ts';
import { startSchedule } from './queue/schedule.ts';
import { startWorkerThreads, type WorkerThreads } from './queue/worker-threads.ts';
import { queueSweeps } from './retention/sweep-suite.ts';
import { sweepBuilds } from './runs/builds/sweep-builds.ts';
import { pageMaintenance, putBackPages } from './runs/page-jobs/free-pages.ts';
import { startDueRuns } from './runs/schedule/start-due-runs.ts';
import { checkSignIn } from './start/check-sign-in.ts';
import { prepareBrowser } from './start/prepare-browser.ts';
import { figureReaders } from './start/read-figures.ts';
import { resealSecrets } from './start/reseal-secrets.ts';
import { serveWeb } from './start/serve-web.ts';
import { serve, type Served } from './start/serve.ts';
import { createStops, type Stop } from './start/stops.ts';

export type Service = {
  /** Where the service listens. If `PORT` is 0, the system chose the port. */
  url: string;
  /** Stops taking work, lets running work finish or gives it back, and closes everything, the database last. */
  stop: () => Promise<void>;
};

const DUE_CRAWLS_MS = 5_000;
const PRUNE_PREVIEWS_MS = 3_600_000;
const PRUNE_DELIVERIES_MS = 600_000;
const PRUNE_EVENTS_MS = 600_000;
const CATCH_UP_MS = 30_000;
const SWEEP_BUILDS_MS = 3_600_000;
const QUEUE_SWEEPS_MS = 600_000;
const DUE_RUNS_MS = 15_000;
const SWEEP_CHECKS_MS = 60_000;
const LAPSED_ATTEMPTS_MS = 600_000;

async function openDatabase(config: Config, log: Logger, onLost: (error: Error) => void): Promise<[string, Stop]> {
  if (config.databaseUrl !== null) return [config.databaseUrl, async () => {}];
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log, onExit: onLost });
  return [embedded.url, () => embedded.stop()];
}

type Work = Pick<WorkerThreads, 'check'> & { stop: Stop };

async function startWork(ctx: Context, databaseUrl: string, metrics: Metrics): Promise<Work> {
  const { config, db, log, clock } = ctx;
  const threads = await startWorkerThreads({
    count: config.workerThreads,
    entry: new URL('./worker-thread.js', import.meta.url),
    workerData: { config, databaseUrl },
    log,
    onBlocked: (blocked) => putBackBlocked(db, blocked, putBackPages, log),
    onMessage: (message) => {
      const metric = parseMetric(message);
      if (metric !== null) metrics.record(metric);
      else log.warn({ message }, 'unknown message from a worker thread');
    },
  });
  const schedule = startSchedule(
    [
      ...queueMaintenance(db, giveUpWith(ctx), log),
      ...pageMaintenance(ctx),
      { name: 'queue due crawls', everyMs: DUE_CRAWLS_MS, run: () => queueDueCrawls(ctx) },
      { name: 'prune webhook deliveries', everyMs: PRUNE_DELIVERIES_MS, run: () => pruneDeliveries(ctx) },
      { name: 'prune events', everyMs: PRUNE_EVENTS_MS, run: () => pruneEvents(ctx) },
      { name: 'catch up with GitHub', everyMs: CATCH_UP_MS, run: () => catchUp(ctx) },
      { name: 'prune previews', everyMs: PRUNE_PREVIEWS_MS, run: () => pruneSignals(ctx) },
      { name: 'sweep builds', everyMs: SWEEP_BUILDS_MS, run: () => sweepBuilds(ctx) },
      { name: 'queue sweeps', everyMs: QUEUE_SWEEPS_MS, run: () => queueSweeps(ctx) },
      { name: 'start due runs', everyMs: DUE_RUNS_MS, run: () => startDueRuns(ctx) },
      { name: 'sweep checks', everyMs: SWEEP_CHECKS_MS, run: () => sweepChecks(ctx) },
      {
        name: 'forget lapsed attempts',
        everyMs: LAPSED_ATTEMPTS_MS,
        run: () => removeLapsedWindows(db, clock.now()),
      },
    ],
    log,
  );
  return {
    check: () => threads.check(),
    async stop() {
      await schedule.stop();
      await threads.stop();
    },
  };
}

async function startServer(
  ctx: Context,
  databaseUrl: string,
  parts: Pick<AppParts, 'metrics' | 'capture'>,
): Promise<Served> {
  if (ctx.config.role === 'worker') return serve(createWorkerApp(ctx, parts), ctx.config);
  return serveWeb(ctx, databaseUrl, parts);
}

/**
 * Starts what `ROLE` asks for: database, migrations, web, workers. If a later step fails, everything already started is
 * stopped again.
 * @param onLost called when the embedded database ended by itself. The service can't continue without it.
 */
export async function startService(config: Config, log: Logger, onLost: (error: Error) => void): Promise<Service> {
  const stops = createStops();
  try {
    if (config.role !== 'web') await prepareBrowser(config);
    const [databaseUrl, stopDatabase] = await openDatabase(config, log, onLost);
    stops.add(stopDatabase);
    const { ctx, close: closeContext } = await composeContext(config, databaseUrl, log);
    stops.add(closeContext);
    await migrate(ctx.db, log);
    await installQueue(config.databaseDirectUrl ?? databaseUrl, log);
    await resealSecrets(ctx);
    await checkSignIn(ctx);

    const metrics = createMetrics(figureReaders(ctx));
    let work: Work | null = null;
    const capture = async () => {
      if (work === null) throw new Error('the worker threads have not started');
      work.check();
    };
    const parts = { metrics, capture: config.role === 'web' ? null : capture };
    const { url, stop: stopServer } = await startServer(ctx, databaseUrl, parts);
    stops.add(stopServer);
    if (config.role !== 'web') {
      work = await startWork(ctx, databaseUrl, metrics);
      stops.add(work.stop);
    }
    log.info({ url, role: config.role, publicUrl: config.publicUrl }, 'pixelgate is running');
    return { url, stop: stops.run };
  } catch (error) {
    await stops.run();
    throw error;
  }
}
