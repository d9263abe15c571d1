import { parentPort, workerData } from 'node:worker_threads';

/** A thread for worker-threads.process.test.ts; `workerData.behaviour` says how it lives. */
const starts = new Int32Array(workerData.starts);
const start = Atomics.add(starts, 0, 1) + 1;
parentPort.postMessage({ start, thread: workerData.job.name }, []);

if (workerData.behaviour === 'crash once' && start === 1) throw new Error('crashed');
parentPort.on('message', (message) => {
  if (message !== 'cancel' || workerData.behaviour === 'deaf') return;
  parentPort.postMessage('bye', []);
  parentPort.close();
});
