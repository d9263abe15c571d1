import { spawnSync } from 'node:child_process';
import { parentPort, workerData } from 'node:worker_threads';

/** A thread for worker-threads.process.test.ts; `workerData.behavior` says what it does. */
const starts = new Int32Array(workerData.starts);
const start = Atomics.add(starts, 0, 1) + 1;
parentPort.postMessage({ start, thread: workerData.job.name }, []);

if (workerData.behavior === 'crash once' && start === 1) throw new Error('crashed');
if (workerData.behavior === 'without a browser') {
  parentPort.postMessage({ type: 'worker', workerId: 'w1' }, []);
  parentPort.postMessage({ type: 'part', part: 'browser', isAway: true }, []);
  parentPort.postMessage('waits', []);
}
if (workerData.behavior === 'with its browser again') {
  parentPort.postMessage({ type: 'worker', workerId: 'w1' }, []);
  parentPort.postMessage({ type: 'part', part: 'browser', isAway: true }, []);
  parentPort.postMessage({ type: 'part', part: 'browser', isAway: false }, []);
  parentPort.postMessage('works', []);
}
parentPort.on('message', (message) => {
  if (message !== 'cancel' || workerData.behavior === 'deaf') return;
  parentPort.postMessage('bye', []);
  parentPort.close();
});
// Native code that does not return, until the test lets it.
if (workerData.behavior === 'stuck') spawnSync('sh', ['-c', 'until [ -e "$0" ]; do sleep 0.1; done', workerData.until]);
