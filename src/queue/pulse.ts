import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Memory that a worker thread shares with its process: a count that goes on while the thread's event loop turns, the id of
 * the job whose code runs, or ran last, and the kernel's id of the thread. The process can read it while the thread is
 * blocked.
 */
export type Pulse = BigInt64Array;

const [BEATS, JOB, THREAD] = [0, 1, 2];
const NO_JOB = 0n;
const BEAT_MS = 500;

export const createPulse = (shared = new SharedArrayBuffer(3 * BigInt64Array.BYTES_PER_ELEMENT)): Pulse =>
  new BigInt64Array(shared);

/** Before a thread starts. */
export function resetPulse(pulse: Pulse): void {
  Atomics.store(pulse, BEATS, 0n);
  Atomics.store(pulse, THREAD, 0n);
  tellJob(pulse, NO_JOB);
}

/** 0: the thread is starting. */
export const countBeats = (pulse: Pulse): bigint => Atomics.load(pulse, BEATS);

/** Null: no job of the queue. */
export function readJob(pulse: Pulse): string | null {
  const job = Atomics.load(pulse, JOB);
  return job === NO_JOB ? null : String(job);
}

/** 0 where the kernel does not tell: the service then counts the time without a processor as that of the thread. */
function readThreadId(): bigint {
  try {
    return BigInt(readlinkSync('/proc/thread-self').split('/').at(-1) ?? '0');
  } catch {
    return 0n;
  }
}

/** Milliseconds for which the thread was ready to run and got no processor, since its start. 0 where that is unknown. */
export function readStarvedMs(pulse: Pulse): number {
  const thread = Atomics.load(pulse, THREAD);
  if (thread === 0n) return 0;
  try {
    // The nanoseconds that it ran, those that it waited to run, and how often it ran (the kernel's sched-stats).
    const waited = readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ')[1];
    return Number(waited ?? 0) / 1e6;
  } catch {
    return 0;
  }
}

const tellJob = (pulse: Pulse, job: bigint) => Atomics.store(pulse, JOB, job);

/** Runs the work of a job, so that whatever it calls, now or later, is known as that job's. */
export type Track = <T>(jobId: string, work: () => T) => T;

/**
 * In the thread: lets the count go on, and tells before each callback which job it belongs to. Measured: 0.14
 * microseconds for each callback.
 */
export function startPulse(pulse: Pulse): Track {
  const running = new AsyncLocalStorage<bigint>();
  Atomics.store(pulse, THREAD, readThreadId());
  const tell = () => tellJob(pulse, running.getStore() ?? NO_JOB);
  createHook({ before: tell }).enable();
  const beat = () => void Atomics.add(pulse, BEATS, 1n);
  setInterval(beat, BEAT_MS).unref();
  beat();
  return (jobId, work) =>
    running.run(BigInt(jobId), () => {
      tell();
      return work();
    });
}
