import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createLogger } from '../../dist/logger.js';
import { createPulse, startPulse } from '../../dist/queue/pulse.js';
import { runQueue } from '../../dist/queue/run-queue.js';

/*
 * A worker thread for worker-threads.process.test.ts. A mail is never done with. A capture, or a slot of the suite `block`,
 * never gives the event loop back, after it has waited for something.
 */
async function block() {
  await sleep(20);
  for (;;) createHash('sha256').digest();
}

const runJob = async (name, payload, { attempt, signal, part }) => {
  parentPort.postMessage({ began: name, attempt }, []);
  if (name === 'crawl-suite') return block();
  if (name === 'capture-suite' && payload.suiteId === 'block') {
    return part({ page: { runId: 'r1', path: '/block' }, maxMinutes: 1 }, block);
  }
  return sleep(3_600_000, undefined, { signal });
};

const runner = await runQueue({
  databaseUrl: workerData.databaseUrl,
  runJob,
  log: createLogger('silent'),
  drainMs: 0,
  track: startPulse(createPulse(workerData.pulse), (message) => parentPort.postMessage(message, [])),
  onWorker: (workerId) => parentPort.postMessage({ type: 'worker', workerId }, []),
});
parentPort.on('message', (message) => {
  if (message === 'cancel') void runner.stop();
});
await runner.ended;
process.exit(0);
