import { Tinypool } from 'tinypool';
import { resealAccounts } from './auth/seal-tokens.ts';
import { composeContext } from './compose.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { startEmbeddedPostgres } from './db/embedded-postgres.ts';
import { migrate } from './db/migrate.ts';
import { unavailable, unprocessable } from './errors.ts';
import { pruneEvents } from './events/record-event.ts';
import { resealApp } from './github/app/credentials.ts';
import { catchUp } from './github/catch-up/redeliver-missed.ts';
import { sweepChecks } from './github/checks/show-check.ts';
import { pruneSignals } from './github/previews/record-signal.ts';
import { isSignInConfigured } from './github/sign-in/sign-in-with-github.ts';
import { pruneDeliveries } from './github/webhooks/store-delivery.ts';
import { createWorkerApp, type AppParts } from './http/create-app.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import { removeLapsedWindows } from './http/rate-limit-store.ts';
import { giveUpWith } from './jobs.ts';
import type { Logger } from './logger.ts';
import { TARGET_SECRETS } from './notices/target.ts';
import { queueDueCrawls } from './pages/crawl/queue-crawl.ts';
import { installQueue } from './queue/install-queue.ts';
import { putBackBlocked, queueMaintenance } from './queue/maintain-queue.ts';
import { parseMetric } from './queue/metric.ts';
import { startSchedule } from './queue/schedule.ts';
import { startWorkerThreads, type WorkerThreads } from './queue/worker-threads.ts';
import { queueSweeps } from './retention/sweep-suite.ts';
import { sweepBuilds } from './runs/builds/sweep-builds.ts';
import { pageMaintenance, putBackPages } from './runs/page-jobs/free-pages.ts';
import { startDueRuns } from './runs/start-due-runs.ts';
import type { BrowserTask } from './start/browser-thread.ts';
import { figureReaders } from './start/read-figures.ts';
import { serve, serveWeb, type Served } from './start/serve-web.ts';
import { createStops, type Stop } from './start/stops.ts';
import { SITE_SECRETS } from './suites/site-access/site-access.ts';

/**
 * Finds a browser, or installs one, and starts it once, in a thread that then ends.
 * @throws AppError unavailable with a sentence that says what to do.
 */
async function prepareBrowser({ chromiumPath, browserWsEndpoint, logLevel }: BrowserTask): Promise<void> {
  const entry = new URL('./start/browser-thread.js', import.meta.url);
  const pool = new Tinypool({ filename: entry.href, name: 'prepare', minThreads: 0, maxThreads: 1 });
  try {
    const task: BrowserTask = { chromiumPath, browserWsEndpoint, logLevel };
    const problem: string | null = await pool.run(task);
    if (problem !== null) throw unavailable(problem, 'browser_unusable');
  } finally {
    await pool.destroy();
  }
}

/**
 * Encrypts stored secrets with `JWT_SECRET` that only `PREVIOUS_JWT_SECRET` opens. It may run on several hosts at once,
 * and again after an interruption.
 */
export async function resealSecrets(ctx: Pick<Context, 'config' | 'db' | 'log'>): Promise<void> {
  if (ctx.config.previousJwtSecret === null) return;
  const accounts = await resealAccounts(ctx);
  const sites = await SITE_SECRETS.reseal(ctx);
  const targets = await TARGET_SECRETS.reseal(ctx);
  const apps = await resealApp(ctx);
  ctx.log.info(
    { accounts, sites, targets, apps },
    'stored secrets are encrypted with JWT_SECRET: PREVIOUS_JWT_SECRET can go',
  );
}

/** @throws AppError when passwords are turned off and there is no other way to sign in. */
export async function checkSignIn(ctx: Context): Promise<void> {
  const { passwordSignIn, oidc } = ctx.config;
  if (passwordSignIn || oidc !== null || (await isSignInConfigured(ctx))) return;
  throw unprocessable(
    'PASSWORD_SIGN_IN is false, and there is no other way to sign in. Set OIDC_ISSUER, or set up sign-in with GitHub first.',
    'no_sign_in',
  );
}

export type Service = {
  /** Where the service listens. If `PORT` is 0, the system chose the port. */
  url: string;
  /** Stops taking work, lets running work finish or gives it back, and closes everything, the database last. */
  stop: () => Promise<void>;
};

/** What each host with workers does again and again for all hosts, and how many seconds it waits in between. */
const PERIODIC: [name: string, seconds: number, run: (ctx: Context) => Promise<unknown>][] = [
  ['queue due crawls', 5, queueDueCrawls],
  ['prune webhook deliveries', 600, pruneDeliveries],
  ['prune events', 600, pruneEvents],
  ['catch up with GitHub', 30, catchUp],
  ['prune previews', 3600, pruneSignals],
  ['sweep builds', 3600, sweepBuilds],
  ['queue sweeps', 600, queueSweeps],
  ['start due runs', 15, startDueRuns],
  ['sweep checks', 60, sweepChecks],
  ['forget lapsed attempts', 600, async ({ db, clock }) => removeLapsedWindows(db, clock.now())],
];

async function openDatabase(config: Config, log: Logger, onLost: (error: Error) => void): Promise<[string, Stop]> {
  if (config.databaseUrl !== null) return [config.databaseUrl, async () => {}];
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log, onExit: onLost });
  return [embedded.url, () => embedded.stop()];
}

type Work = Pick<WorkerThreads, 'check'> & { stop: Stop };

async function startWork(ctx: Context, databaseUrl: string, metrics: Metrics): Promise<Work> {
  const { config, db, log } = ctx;
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
  const periodic = PERIODIC.map(([name, seconds, run]) => ({ name, everyMs: seconds * 1000, run: () => run(ctx) }));
  const schedule = startSchedule(
    [...queueMaintenance(db, giveUpWith(ctx), log), ...pageMaintenance(ctx), ...periodic],
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
