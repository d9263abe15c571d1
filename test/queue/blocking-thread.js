import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createLogger } from '../../dist/logger.js';
import { createPulse, startPulse } from '../../dist/queue/pulse.js';
import { runQueue } from '../../dist/queue/run-queue.js';

/*
 * A worker thread for worker-threads.process.test.ts. A mail is never done with. A capture of `/block` never gives the event
 * loop back, after it has waited for something.
 */
async function capture({ path }, { attempt }) {
  parentPort.postMessage({ began: path, attempt }, []);
  await sleep(20);
  if (path === '/block') for (;;) createHash('sha256').digest();
}

const runJob = async (name, payload, { attempt, signal }) => {
  if (name === 'capture-page') return capture(payload, { attempt });
  parentPort.postMessage({ began: name, attempt }, []);
  return sleep(3_600_000, undefined, { signal });
};

const runner = await runQueue({
  databaseUrl: workerData.databaseUrl,
  runJob,
  log: createLogger('silent'),
  drainMs: 0,
  track: startPulse(createPulse(workerData.pulse)),
  onWorker: (workerId) => parentPort.postMessage({ type: 'worker', workerId }, []),
});
parentPort.on('message', (message) => {
  if (message === 'cancel') void runner.stop();
});
await runner.ended;
process.exit(0);
