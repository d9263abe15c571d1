import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { composeWorkerContext } from './compose.ts';
import type { Config } from './config.ts';
import { partsOf, runWith } from './jobs.ts';
import { createLogger } from './logger.ts';
import { awaitParts } from './queue/await-part.ts';
import type { JobMetric } from './queue/job-runner.ts';
import { countOpenPages } from './queue/job.ts';
import type { Measure, MetricMessage } from './queue/metric.ts';
import { createPulse, startPulse } from './queue/pulse.ts';
import { runQueue } from './queue/run-queue.ts';
import type { PartMessage, WorkerMessage } from './queue/worker-threads.ts';

/*
 * Entry of a worker thread (queue/worker-threads.ts). It posts a metric for every job that it ran, and ends itself on
 * the message `cancel`. When it can't continue, it exits with 1, and is started again.
 */
const CLOSE_MS = 5_000;

/** From the main process: `service.ts`. */
const WorkerData = z.object({
  config: z.custom<Config>(),
  databaseUrl: z.string(),
  pulse: z.instanceof(SharedArrayBuffer),
});

const measure: Measure = (name, labels, value) => {
  const message: MetricMessage = { type: 'metric', name, labels, value };
  parentPort?.postMessage(message, []);
};

const { config, databaseUrl, pulse } = WorkerData.parse(workerData);
const log = createLogger(config.logLevel);
const composed = await composeWorkerContext(config, databaseUrl, log, measure);
const { ctx } = composed;

/** The browser is a child process. It would stay behind if a thread ended without closing it. */
async function exit(code: number): Promise<never> {
  setTimeout(() => process.exit(code), CLOSE_MS);
  await composed.close().catch((error: unknown) => {
    log.error({ err: error }, 'a worker thread did not close cleanly');
  });
  process.exit(code);
}

function onMetric({ job, outcome, seconds }: JobMetric): void {
  measure('jobs', { job, outcome }, 1);
  measure('job_seconds', { job, outcome }, seconds);
}

function onWorker(workerId: string): void {
  const message: WorkerMessage = { type: 'worker', workerId };
  parentPort?.postMessage(message, []);
}

function onPart(part: string, isAway: boolean): void {
  const message: PartMessage = { type: 'part', part, isAway };
  parentPort?.postMessage(message, []);
}

process.on('uncaughtException', (error) => {
  log.error({ err: error }, 'uncaught error in a worker thread');
  void exit(1);
});

try {
  const track = startPulse(createPulse(pulse), (message) => parentPort?.postMessage(message, []));
  const awaitPart = awaitParts(partsOf(ctx), log, onPart);
  const runner = await runQueue({
    databaseUrl: config.databaseDirectUrl ?? databaseUrl,
    runJob: runWith(ctx),
    log,
    onMetric,
    awaitPart,
    track,
    onWorker,
    openPages: countOpenPages(config.workerThreads),
  });
  parentPort?.on('message', (message) => {
    if (message === 'cancel') void runner.stop();
  });
  // The first capture need not wait for it. A remote one may start later than we do.
  if (config.browserWsEndpoint === null) ctx.browser.engine().catch(() => undefined);
  const end = await runner.ended;
  await exit(end === 'stopped' ? 0 : 1);
} catch (error) {
  log.error({ err: error }, 'a worker thread could not start');
  await exit(1);
}
