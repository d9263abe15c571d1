import { Pool } from 'pg';
import { settlesWithin } from '../async/time-limit.ts';
import type { Logger } from '../logger.ts';
import type { AwaitPart } from './await-part.ts';
import { createJobRunner, type JobMetric, type RunJob } from './job-runner.ts';
import { returnSql } from './job-store.ts';
import { LANE_PLACES, LANES, type Lane } from './job.ts';
import type { Track } from './pulse.ts';
import { runLane } from './run-lane.ts';
import { openWorkerLock } from './worker-lock.ts';

export type RunQueueOptions = {
  databaseUrl: string;
  runJob: RunJob;
  log: Logger;
  /** How many pages it has open at once, at most. Default: `LANE_PLACES`. */
  openPages?: number;
  onMetric?: (metric: JobMetric) => void;
  /** Receives what runs, and runs it. Default: nothing is recorded. */
  track?: Track;
  /** Receives the ids under which this thread holds jobs, each at least once. */
  onWorker?: (workerId: string) => void;
  awaitPart?: AwaitPart;
  /** How long `stop` waits for running jobs before it aborts them. */
  drainMs?: number;
};

/**
 * Why a runner ended. `lost`: its jobs may already be running elsewhere. `stuck`: a job ignored its signal. `failed`:
 * graphile-worker gave up. After anything but `stopped`, the thread must exit and be restarted.
 */
type QueueEnd = 'stopped' | 'lost' | 'stuck' | 'failed';

export type QueueRunner = {
  /** Takes no more jobs and waits up to `drainMs` for the running ones. Jobs that take longer go back to the queue. */
  stop(): Promise<void>;
  ended: Promise<QueueEnd>;
};

const DRAIN_MS = 5_000;
/**
 * The time that a job gets to clean up after its signal. If all jobs obey, a stop takes less than the 10 s that
 * containers are given.
 */
const ABORT_GRACE_MS = 2_000;
const CLOSE_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * The connections of a thread's lanes: one for each lane to listen, and one that all other statements share in turn.
 * With a second shared connection, a lane could look for its next job before its last job has released the queue that
 * both are in.
 *
 * Commits here don't wait for the disk. After a crash the server may forget that a job was taken or finished. Then
 * the job runs again, as after the death of its worker. Jobs are added, and results stored, through other
 * connections. Measured: this halves the queue's own time per job, from 15 ms to 7 ms on a busy machine.
 */
function openQueuePool(databaseUrl: string, log: Logger): Pool {
  const pool = new Pool({
    connectionString: databaseUrl,
    application_name: 'pixelgate queue',
    max: LANES.length + 1,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    options: '-c synchronous_commit=off',
  });
  pool.on('error', (error) => log.warn({ err: error }, 'an idle connection of the queue broke'));
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ err: error }, 'a connection of the queue broke'));
  });
  return pool;
}

/** Ends the pool after its pending queries are done. Without this, pg drops queries that wait for a connection. */
async function closeQueuePool(pool: Pool): Promise<void> {
  await pool.query('select 1').catch(() => undefined);
  await pool.end();
}

/** Returns the jobs of these workers to the queue, as if they had never been taken. */
async function giveBackJobs(pool: Pool, workerIds: string[]): Promise<number> {
  const { rowCount } = await pool.query(returnSql('$1', '$2', '$3::text'), [workerIds, null, null]);
  return rowCount ?? 0;
}

/**
 * Runs jobs in the places of each lane until it is stopped or can't continue. Uses two connections more than there are
 * lanes.
 */
export async function runQueue(options: RunQueueOptions): Promise<QueueRunner> {
  const { databaseUrl, runJob, log, onMetric, awaitPart, drainMs = DRAIN_MS } = options;
  const { track, onWorker = () => {}, openPages = LANE_PLACES.page } = options;
  let shutdown: Promise<void> | null = null;
  let resolveEnded: (end: QueueEnd) => void = () => {};
  const ended = new Promise<QueueEnd>((resolve) => {
    resolveEnded = resolve;
  });
  const end = (reason: QueueEnd) => (shutdown ??= shutDown(reason).finally(() => resolveEnded(reason)));

  const lock = await openWorkerLock(databaseUrl, log, () => void end('lost'));
  const pool = openQueuePool(databaseUrl, log);
  const jobs = createJobRunner({ runJob, onMetric, awaitPart, track, onStuck: () => void end('stuck') });
  const countPlaces = (lane: Lane) => (lane === 'page' ? openPages : LANE_PLACES[lane]);
  const running = LANES.map((lane) =>
    runLane({ lane, places: countPlaces(lane), pool, lock, jobs, log, onWorker }, () => void end('failed')),
  );

  async function shutDown(reason: QueueEnd): Promise<void> {
    const idle = Promise.all(running.map((lane) => lane.stop()));
    if (reason === 'stopped') await settlesWithin(drainMs, idle);
    await jobs.abort(ABORT_GRACE_MS);
    await settlesWithin(CLOSE_MS, giveBack());
    jobs.release();
    await settlesWithin(CLOSE_MS, idle);
    await settlesWithin(CLOSE_MS, Promise.allSettled([closeQueuePool(pool), lock.close()]));
  }

  async function giveBack(): Promise<void> {
    const workerIds = running.flatMap((lane) => lane.workerId() ?? []);
    try {
      const returned = await giveBackJobs(pool, workerIds);
      if (returned > 0) log.info({ jobs: returned }, 'returned running jobs to the queue');
    } catch (error) {
      log.warn({ err: error }, 'could not return running jobs to the queue: another host will take them over');
    }
  }

  return { stop: () => end('stopped'), ended };
}
