import type { Logger } from '../logger.ts';
import { settlesWithin } from '../time-limit.ts';
import { LANES } from './job.ts';
import type { Lane } from './job.ts';
import { createJobRunner } from './job-runner.ts';
import type { JobMetric, RunJob } from './job-runner.ts';
import { closeQueuePool, openQueuePool, returnJobs } from './queue-pool.ts';
import { runLane } from './run-lane.ts';
import type { RunningLane } from './run-lane.ts';
import { openWorkerLock } from './worker-lock.ts';

export type RunQueueOptions = {
  databaseUrl: string;
  runJob: RunJob;
  log: Logger;
  /** The lanes that this thread serves; all, if not said. */
  lanes?: readonly Lane[];
  onMetric?: (metric: JobMetric) => void;
  /** How long `stop` lets running jobs come to their end before it aborts them. */
  drainMs?: number;
};

/**
 * Why a runner ended. `lost`: its jobs may be running elsewhere already. `stuck`: a job did not heed its signal.
 * `failed`: graphile-worker gave up. After any but `stopped` the thread must exit and be started anew.
 */
type QueueEnd = 'stopped' | 'lost' | 'stuck' | 'failed';

export type QueueRunner = {
  /** Takes no further job, lets running ones end, and returns to the queue those that don't within `drainMs`. */
  stop(): Promise<void>;
  ended: Promise<QueueEnd>;
};

const DRAIN_MS = 5_000;
/** What a job gets to clean up after its signal. With obedient jobs a stop takes less than the 10 s that containers are given. */
const ABORT_GRACE_MS = 2_000;
const CLOSE_MS = 2_000;

/** Runs jobs, one at a time in each lane, until it is stopped or can't go on. Takes `lanes` + 2 connections. */
export async function runQueue(options: RunQueueOptions): Promise<QueueRunner> {
  const { databaseUrl, runJob, log, onMetric, lanes = LANES, drainMs = DRAIN_MS } = options;
  let starting: Promise<RunningLane>[] = [];
  let shutdown: Promise<void> | null = null;
  let resolveEnded: (end: QueueEnd) => void = () => {};
  const ended = new Promise<QueueEnd>((resolve) => {
    resolveEnded = resolve;
  });
  const end = (reason: QueueEnd) => (shutdown ??= shutDown(reason).finally(() => resolveEnded(reason)));

  const lock = await openWorkerLock(databaseUrl, log, () => void end('lost'));
  const pool = openQueuePool(databaseUrl, lanes.length, log);
  const jobs = createJobRunner({ runJob, onMetric, onStuck: () => void end('stuck') });
  starting = lanes.map((lane) => runLane({ lane, pool, lock, jobs, log }, () => void end('failed')));

  async function shutDown(reason: QueueEnd): Promise<void> {
    const running = (await Promise.allSettled(starting)).flatMap((lane) =>
      lane.status === 'fulfilled' ? [lane.value] : [],
    );
    const idle = Promise.all(running.map((lane) => lane.stop()));
    if (reason === 'stopped') await settlesWithin(drainMs, idle);
    await jobs.abort(ABORT_GRACE_MS);
    // A job that is stuck has spent its attempt: it is left to be found as the job of a dead worker.
    if (reason !== 'stuck') await settlesWithin(CLOSE_MS, giveBack(running));
    jobs.release();
    await settlesWithin(CLOSE_MS, idle);
    await settlesWithin(CLOSE_MS, Promise.allSettled([closeQueuePool(pool), lock.close()]));
  }

  async function giveBack(running: RunningLane[]): Promise<void> {
    const workerIds = running.flatMap((lane) => lane.workerId() ?? []);
    try {
      const returned = await returnJobs(pool, workerIds);
      if (returned > 0) log.info({ jobs: returned }, 'returned running jobs to the queue');
    } catch (error) {
      log.warn({ err: error }, 'could not return running jobs to the queue: another host will take them over');
    }
  }

  try {
    await Promise.all(starting);
  } catch (error) {
    await end('failed');
    throw error;
  }
  return { stop: () => end('stopped'), ended };
}
