import { parentPort, workerData } from 'node:worker_threads';

/** A thread for worker-threads.process.test.ts; `workerData.behavior` says what it does. */
const starts = new Int32Array(workerData.starts);
const start = Atomics.add(starts, 0, 1) + 1;
parentPort.postMessage({ start, thread: workerData.job.name }, []);

if (workerData.behavior === 'crash once' && start === 1) throw new Error('crashed');
parentPort.on('message', (message) => {
  if (message !== 'cancel' || workerData.behavior === 'deaf') return;
  parentPort.postMessage('bye', []);
  parentPort.close();
});
