import { composeContext } from './compose.ts';
import { AppError, errorMessage, readErrorCode } from './errors.ts';
import { createMetrics } from './http/metrics.ts';
import { createLogger } from './logger.ts';
import { serveWeb } from './start/serve-web.ts';
import { createStops } from './start/stops.ts';
import { ToWeb } from './start/web-messages.ts';
import type { FromWeb } from './start/web-messages.ts';
import { withTimeLimit } from './time-limit.ts';

/*
 * Entry of a web process (start/web-processes.ts): pages, API and webhooks. The first process tells it what to do, and
 * when to stop. When that one is gone, `node:cluster` ends this one. Its modules take a second to load: what is sent before
 * `ready` is lost.
 */

/** Longer than the first process waits for the others. */
const SCRAPE_MS = 4_000;

const stops = createStops();
const scrapes = new Map<number, (text: string) => void>();
let scrapesAsked = 0;

/** Resolves when it is on its way, or when nobody is there any more who would read it. */
async function tell(message: FromWeb): Promise<void> {
  await new Promise<unknown>((resolve) => process.send?.(message, undefined, {}, resolve));
}

/** Of all processes, as only the first one can tell. */
async function readAllMetrics(): Promise<string> {
  scrapesAsked += 1;
  const id = scrapesAsked;
  const answered = new Promise<string>((resolve) => scrapes.set(id, resolve));
  await tell({ type: 'scrape', id });
  try {
    const late = () => new AppError('unavailable', 'The first process of Pixelgate did not tell its metrics in time');
    return await withTimeLimit(SCRAPE_MS, answered, late);
  } finally {
    scrapes.delete(id);
  }
}

const metrics = createMetrics({ readAll: readAllMetrics });

async function exit(code: number): Promise<never> {
  try {
    await stops.run();
  } catch (error) {
    process.stderr.write(`A web process did not stop cleanly: ${errorMessage(error)}\n`);
    process.exit(1);
  }
  process.exit(code);
}

async function start({ config, databaseUrl }: Extract<ToWeb, { type: 'start' }>): Promise<void> {
  try {
    const { ctx, close } = await composeContext(config, databaseUrl, createLogger(config.logLevel));
    stops.add(close);
    const { url, stop } = await serveWeb(ctx, databaseUrl, metrics);
    stops.add(stop);
    await tell({ type: 'listening', url });
  } catch (error) {
    const syscall = error instanceof Error && 'syscall' in error ? String(error.syscall) : null;
    await tell({ type: 'failed', message: errorMessage(error), code: readErrorCode(error), syscall });
    await exit(1);
  }
}

async function tellCollected(id: number): Promise<void> {
  await tell({ type: 'collected', id, metrics: await metrics.collect() });
}

/** A terminal and some supervisors send these to all processes. The first process then tells the others to stop. */
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});

process.on('message', (raw: unknown) => {
  const message = ToWeb.parse(raw);
  if (message.type === 'start') void start(message);
  if (message.type === 'collect') void tellCollected(message.id);
  if (message.type === 'metrics') scrapes.get(message.id)?.(message.text);
  if (message.type === 'stop') void exit(0);
});

await tell({ type: 'ready' });
