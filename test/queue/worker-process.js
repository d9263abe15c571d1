import { createLogger } from '../../dist/logger.js';
import { runQueue } from '../../dist/queue/run-queue.js';

/*
 * A worker host for recovery.process.test.ts, which starts it with the database's URL and kills it. It tells its
 * parent when a job starts or ends. The path of a page decides its capture: `/hold…` waits for the parent,
 * `/poison…` kills this process, and any other is captured immediately.
 */
const [, , databaseUrl] = process.argv;
let go = () => {};
const proceed = new Promise((resolve) => {
  go = resolve;
});

async function capture({ trialId: path }, { attempt }) {
  await new Promise((resolve) => process.send({ began: path, attempt }, resolve));
  if (path.startsWith('/poison')) process.kill(process.pid, 'SIGKILL');
  if (path.startsWith('/hold')) await proceed;
  // Long enough that jobs overlap if they can.
  if (path.startsWith('/slow')) await new Promise((resolve) => setTimeout(resolve, 30));
  process.send({ ended: path, attempt });
}

const runJob = async (name, payload, job) => {
  if (name === 'try-page') await capture(payload, job);
};
const log = createLogger('error');
const runner = await runQueue({ databaseUrl, runJob, log });
process.on('message', (message) => (message === 'go' ? go() : runner.stop()));
process.send('ready');
await runner.ended;
process.disconnect();
