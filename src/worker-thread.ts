import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { composeWorkerContext } from './compose.ts';
import { readConfig } from './config.ts';
import { jobHandlers } from './jobs.ts';
import { runQueue } from './queue/run-queue.ts';

/** Entry of a worker thread (queue/worker-threads.ts). Posts `{ type: 'metric', … }` of every job that it ran. */
const { databaseUrl } = z.object({ databaseUrl: z.string() }).parse(workerData);

const { ctx, close } = await composeWorkerContext(readConfig(), databaseUrl);

const runner = await runQueue({
  databaseUrl,
  handlers: jobHandlers,
  ctx,
  log: ctx.log,
  onMetric: (metric) => parentPort?.postMessage({ type: 'metric', name: 'job', ...metric }),
});

/** The browser is a child process: a thread that ends without closing it would leave it behind. */
async function exit(code: number): Promise<never> {
  const late = setTimeout(() => process.exit(code), 5_000);
  await close().catch((error: unknown) => ctx.log.error({ err: error }, 'a worker thread did not close cleanly'));
  clearTimeout(late);
  process.exit(code);
}

parentPort?.on('message', (message) => {
  if (message === 'cancel') void runner.stop();
});
process.on('uncaughtException', (error) => {
  ctx.log.error({ err: error }, 'a worker thread met an error that nobody caught');
  void exit(1);
});

const end = await runner.ended;
await exit(end === 'stopped' ? 0 : 1);
