import { fileURLToPath } from 'node:url';
import Bree from 'bree';
import { z } from 'zod';
import { settlesWithin } from '../async/time-limit.ts';
import type { Logger } from '../logger.ts';
import type { Work } from './job.ts';
import type { BlockedThread } from './maintain-queue.ts';
import { createPulse, createPulseWatch, LOOK_MS, readWork, resetPulse, WorkMessage, type Pulse } from './pulse.ts';

export type WorkerThreadsOptions = {
  count: number;
  /** The compiled module that each thread runs. It ends itself when it receives the message `cancel`. */
  entry: URL;
  workerData: Record<string, unknown>;
  log: Logger;
  /** Handles the messages of the threads. */
  onMessage: (message: unknown) => void;
  /**
   * Called when a thread's event loop has been blocked for `blockedMs`. Afterwards the thread is ended and started
   * again.
   */
  onBlocked: (blocked: BlockedThread) => Promise<void>;
  blockedMs?: number;
  /** How long `stop` waits for threads to end on their own, and then for those that it terminates. */
  stopMs?: number;
  endMs?: number;
};

export type WorkerThreads = {
  /** Throws, with the reason, unless a thread takes jobs and has all that they need. */
  check(): void;
  /**
   * Asks the threads to end, waits, and terminates those that don't.
   * @throws Error if one can't be ended, because native code in it does not return. `process.exit` would wait for it, too.
   */
  stop(): Promise<void>;
};

/** What a thread posts when it takes the lock of a lane. */
const WorkerMessage = z.object({ type: z.literal('worker'), workerId: z.string() });
export type WorkerMessage = z.infer<typeof WorkerMessage>;

/** What a thread posts when its jobs begin to wait for a part (`await-part.ts`), and when none does any more. */
const PartMessage = z.object({ type: z.literal('part'), part: z.string(), isAway: z.boolean() });
export type PartMessage = z.infer<typeof PartMessage>;

/** What a thread has reported since its start. */
type Told = { workerIds: string[]; works: Map<number, Work>; away: Set<string> };

function hear({ workerIds, works, away }: Told, message: unknown): boolean {
  const part = PartMessage.safeParse(message);
  if (part.success && part.data.isAway) away.add(part.data.part);
  else if (part.success) away.delete(part.data.part);
  const worker = WorkerMessage.safeParse(message);
  if (worker.success) workerIds.push(worker.data.workerId);
  const work = WorkMessage.safeParse(message);
  if (work.success && work.data.work !== null) works.set(work.data.number, work.data.work);
  else if (work.success) works.delete(work.data.number);
  return part.success || worker.success || work.success;
}

/**
 * A thread that is blocked longer than this would soon lose its lock (`worker-lock.ts`), and all its jobs with it. The
 * comparison of large screenshots may take longer, so it runs elsewhere (`compare-apart.ts`).
 */
const BLOCKED_MS = 10_000;
/** How long putting jobs back may take before the thread is ended anyway. */
const PUT_BACK_MS = 3_000;

/** Longer than `runQueue` and closing a browser take in the worst case. */
const STOP_MS = 20_000;
const END_MS = 10_000;

/** Keeps `count` threads alive. A thread that ends is restarted, with a longer delay each time that it ends soon. */
export async function startWorkerThreads(options: WorkerThreadsOptions): Promise<WorkerThreads> {
  const { count, entry, workerData, log, onMessage, stopMs = STOP_MS, endMs = END_MS } = options;
  const names = Array.from({ length: count }, (_, index) => `worker-${index + 1}`);
  const pulses = new Map(names.map((name) => [name, createPulse()]));
  const told = new Map<string, Told>();
  const bree = new Bree({
    root: false,
    logger: breeLogger(log),
    errorHandler: (error, { name }) => log.error({ err: error, thread: name }, 'a worker thread failed'),
    workerMessageHandler: ({ name, message }) => {
      const thread = told.get(name);
      if (thread === undefined || !hear(thread, message)) onMessage(message);
    },
    jobs: names.map((name) => ({
      name,
      path: fileURLToPath(entry),
      worker: { workerData: { ...workerData, pulse: pulses.get(name)?.buffer } },
    })),
  });
  bree.on('worker created', (name: string) => {
    told.set(name, { workerIds: [], works: new Map(), away: new Set() });
    const pulse = pulses.get(name);
    if (pulse !== undefined) resetPulse(pulse);
  });
  bree.on('worker deleted', (name: string) => void told.delete(name));
  const stopRestarting = keepAlive(bree, log);
  const stopWatching = watch(bree, options, pulses, told);
  for (const name of names) await bree.run(name);

  return {
    check() {
      const atWork = [...told.values()].filter(({ workerIds }) => workerIds.length > 0);
      if (atWork.some(({ away }) => away.size === 0)) return;
      const away = new Set(atWork.flatMap((thread) => [...thread.away]));
      throw new Error(away.size === 0 ? 'no worker thread takes jobs' : `jobs wait for: ${[...away].join(', ')}`);
    },
    async stop() {
      stopRestarting();
      stopWatching();
      const stopped = bree.stop();
      if (await settlesWithin(stopMs, stopped)) return;
      log.warn({ threads: [...bree.workers.keys()] }, 'terminating worker threads that did not stop');
      const terminated = Promise.all([...bree.workers.values()].map(async (worker) => worker.terminate()));
      if (!(await settlesWithin(endMs, terminated))) throw new Error('A worker thread cannot be ended');
      await stopped;
    },
  };
}

/** Ends threads that are blocked. `keepAlive` starts them again. */
function watch(
  bree: Bree,
  { onBlocked, log, blockedMs = BLOCKED_MS }: WorkerThreadsOptions,
  pulses: ReadonlyMap<string, Pulse>,
  told: ReadonlyMap<string, Told>,
): () => void {
  const pulseWatch = createPulseWatch(pulses, blockedMs);
  const replace = async (thread: string, pulse: Pulse) => {
    const { workerIds = [], works } = told.get(thread) ?? {};
    const putBack = onBlocked({ thread, workerIds, work: works?.get(readWork(pulse)) ?? null }).catch(
      (error: unknown) => {
        log.error({ err: error, thread }, 'the jobs of a blocked thread could not be put back');
      },
    );
    await settlesWithin(PUT_BACK_MS, putBack);
    await bree.workers.get(thread)?.terminate();
  };
  const timer = setInterval(() => {
    for (const name of pulseWatch.look(performance.now())) {
      const pulse = pulses.get(name);
      if (pulse !== undefined) void replace(name, pulse);
    }
  }, LOOK_MS);
  return () => clearInterval(timer);
}

const FIRST_DELAY_MS = 500;
const MOST_DELAY_MS = 30_000;
/** After living this long it did not fail at its start, so the next restart is quick again. */
const STABLE_MS = 60_000;

function keepAlive(bree: Bree, log: Logger): () => void {
  const timers = new Map<string, NodeJS.Timeout>();
  const startedAt = new Map<string, number>();
  const delays = new Map<string, number>();
  let stopping = false;

  async function restart(name: string): Promise<void> {
    try {
      startedAt.set(name, performance.now());
      await bree.run(name);
    } catch (error) {
      // The system may have no thread to give at the moment.
      log.error({ err: error, thread: name }, 'could not restart a worker thread');
      restartLater(name);
    }
  }
  function restartLater(name: string): void {
    if (stopping) return;
    const isStable = performance.now() - (startedAt.get(name) ?? 0) > STABLE_MS;
    const delay = isStable ? FIRST_DELAY_MS : (delays.get(name) ?? FIRST_DELAY_MS);
    delays.set(name, Math.min(delay * 2, MOST_DELAY_MS));
    log.warn({ thread: name, delayMs: delay }, 'a worker thread ended and will be restarted');
    timers.set(
      name,
      setTimeout(() => void restart(name), delay),
    );
  }

  bree.on('worker created', (name: string) => startedAt.set(name, performance.now()));
  bree.on('worker deleted', restartLater);
  return () => {
    stopping = true;
    for (const timer of timers.values()) clearTimeout(timer);
  };
}

/** Bree logs every thread that starts and ends. The important events are logged above. */
function breeLogger(log: Logger) {
  const tell = (message: unknown) => log.debug({ bree: String(message) }, 'bree');
  return { info: tell, warn: tell, error: tell };
}
