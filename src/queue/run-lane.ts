import { EventEmitter } from 'node:events';
import {
  runTaskList,
  type Job,
  type TaskList,
  type WorkerEvents,
  type WorkerPool,
  type WorkerPoolOptions,
} from 'graphile-worker';
import type { Pool } from 'pg';
import type { Logger } from '../logger.ts';
import { userOfJob } from './enqueue.ts';
import { queueLogger } from './install-queue.ts';
import { JOB_KINDS, JOB_NAMES } from './job-kinds.ts';
import type { JobRunner } from './job-runner.ts';
import type { Lane } from './job.ts';
import { createPlaces, type Places } from './places.ts';
import type { WorkerLock } from './worker-lock.ts';

/** Notifications announce new jobs at once. Polling finds retries that are due. */
const LOOK_MS = 1_000;
/**
 * How long a place sleeps if nothing wakes it. Places that poll by themselves end up polling at the same moment, so a
 * retry would wait for as many seconds as the lane has places.
 */
const SLEEP_MS = 60_000;

export type RunningLane = {
  /** Null until the lane has taken its lock. */
  workerId(): string | null;
  /** Takes no more jobs. Resolves when the running job has ended and its outcome is stored. */
  stop(): Promise<void>;
};

export type LaneOptions = {
  lane: Lane;
  /** How many. */
  places: number;
  pool: Pool;
  lock: WorkerLock;
  jobs: JobRunner;
  log: Logger;
  /** Receives the id under which the lane holds jobs. */
  onWorker: (workerId: string) => void;
};

/**
 * Runs the jobs of one lane in its places. `onFailed` is called when it ends without a request to stop. It uses
 * `runTaskList`: `run` would also migrate for each lane, and warn of a pool that is small on purpose (`run-queue.ts`).
 */
export function runLane(
  { lane, places: count, pool, lock, jobs, log, onWorker }: LaneOptions,
  onFailed: () => void,
): RunningLane {
  let workers: WorkerPool | null = null;
  let stopping = false;
  let looking: NodeJS.Timeout | undefined;

  /** graphile-worker waits for this before it first looks for a job, so no job is held without the lock. */
  const start = async (started: WorkerPool) => {
    if (await lock.hold(started.id)) {
      workers = started;
      onWorker(started.id);
      if (!stopping) looking ??= setInterval(() => started.nudge(1), LOOK_MS).unref();
      return;
    }
    onFailed();
    // If this returned or threw, the worker would go on and take jobs.
    await new Promise(() => {});
  };

  const lookAgain = () => {
    if (!stopping) workers?.nudge(1);
  };
  const places = createPlaces(count, lookAgain);
  const events = tellPlaces(places);
  // A released worker can't be woken.
  events.on('worker:release', () => clearInterval(looking));
  const options = {
    concurrency: count,
    noHandleSignals: true,
    pollInterval: SLEEP_MS,
    logger: queueLogger(log),
    preset: presetWith(start),
    events,
    forbiddenFlags: async () => places.look(),
  };
  const running = runTaskList(options, buildTasks(lane, jobs, places), pool);
  const over = () => {
    if (!stopping) onFailed();
  };
  running.promise.then(over, over);

  return {
    workerId: () => workers?.id ?? null,
    async stop() {
      stopping = true;
      places.close();
      try {
        await running.gracefulShutdown();
      } catch (error) {
        log.debug({ err: error, lane }, 'the lane had ended already');
      }
    },
  };
}

/** Tells the places what the search for jobs has found. */
function tellPlaces(places: Places): WorkerEvents {
  const events: WorkerEvents = new EventEmitter();
  events.on('worker:getJob:empty', ({ worker }) => {
    // Only the one that looked: a nudge of the lane would make all others look again, and those others, endlessly.
    if (places.foundNone()) worker.nudge();
  });
  events.on('worker:getJob:error', () => places.foundNone());
  events.on('job:start', ({ job }) => places.found(job.id, userOfJob(job.flags)));
  events.on('job:complete', ({ job }) => places.end(job.id));
  return events;
}

function buildTasks(lane: Lane, jobs: JobRunner, places: Places): TaskList {
  const names = JOB_NAMES.filter((name) => JOB_KINDS[name].lane === lane);
  return Object.fromEntries(
    names.map((name) => [
      name,
      async (payload: unknown, { job }: { job: Job }) =>
        jobs.run(name, payload, {
          id: job.id,
          attempt: job.attempts,
          takePlace: () => places.take(userOfJob(job.flags)),
          isClosing: () => !places.isOpen(),
        }),
    ]),
  );
}

function presetWith(start: (places: WorkerPool) => Promise<void>): NonNullable<WorkerPoolOptions['preset']> {
  return {
    plugins: [
      {
        name: 'WorkerLockPlugin',
        version: '1.0.0',
        worker: { hooks: { startWorker: (_ctx, { worker }) => start(worker.workerPool) } },
      },
    ],
  };
}
