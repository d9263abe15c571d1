import { setTimeout as after } from 'node:timers/promises';
import sharp from 'sharp';
import { composeWorkerContext } from '../../../dist/compose.js';
import { readConfig } from '../../../dist/config.js';
import { partsOf, runWith } from '../../../dist/jobs.js';
import { createLogger } from '../../../dist/logger.js';
import { awaitParts } from '../../../dist/queue/await-part.js';
import { createPulse, startPulse } from '../../../dist/queue/pulse.js';
import { runQueue } from '../../../dist/queue/run-queue.js';
import { sha256Of } from '../../../dist/text/sha256.js';

/*
 * A worker whose browser is a stand-in: a capture takes as long as a real one, and no processor. All else is the service's
 * own. Each page looks the same each time.
 */

const CAPTURE_MS = 1_000;
/** How often a capture asks whether its run goes on. */
const STEPS = 4;
const OPEN_PAGES = 2;

const config = readConfig();
const log = createLogger('error');
const { ctx, close } = await composeWorkerContext(config, config.databaseUrl, log, () => {});

const png = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#f6f8fa' } })
  .png()
  .toBuffer();

async function capture(request, isOver) {
  for (let step = 0; step < STEPS; step += 1) {
    await after(CAPTURE_MS / STEPS);
    await isOver();
  }
  return {
    png,
    sha256: sha256Of(png),
    width: 800,
    height: 600,
    duration: CAPTURE_MS,
    engine: 'stand-in',
    title: 'A page',
    warnings: [],
    stability: 'AT_ONCE',
    screenshots: 1,
    alsoSeen: [],
    served: null,
    recorded: null,
    cut: false,
    atRest: true,
    asBefore: null,
    way: { clock: 'running', timeout: request.settle.timeout, late: [] },
    elements: null,
    heard: null,
    unmatched: [],
    landing: null,
  };
}

const workerCtx = { ...ctx, browser: { ...ctx.browser, capture, engine: async () => 'stand-in' } };
const runner = await runQueue({
  databaseUrl: config.databaseDirectUrl ?? config.databaseUrl,
  runJob: runWith(workerCtx),
  log,
  onMetric: () => {},
  awaitPart: awaitParts(partsOf(workerCtx), log),
  track: startPulse(createPulse(), () => {}),
  openPages: OPEN_PAGES,
});
process.on('SIGTERM', () => void runner.stop());
console.log('ready');
await runner.ended;
await close();
process.exit(0);
