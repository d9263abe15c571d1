import { inTransaction, type Db } from '../db/database.ts';
import { hasCode } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { isJobName, parsePayload, type JobName, type JobPayloads } from './job-kinds.ts';
import {
  countIdleQueues,
  findDeadWorkers,
  removeIdleQueues,
  returnJobs,
  takeDeadJob,
  unlockWorkers,
  type DeadRow,
} from './job-store.ts';
import type { PageOfJob, Work } from './job.ts';
import type { ScheduledTask } from './schedule.ts';

/** A worker thread whose event loop is blocked. */
export type BlockedThread = {
  thread: string;
  /** The work whose code is running. Null: unknown. */
  work: Work | null;
  /** The ids under which the thread's lanes hold jobs. */
  workerIds: readonly string[];
};

/** Puts back the pages that these jobs had taken, and counts a failure for the one that blocked. */
type PutBackPages = (db: Db, jobIds: string[], blocked: PageOfJob | null) => Promise<void>;

/**
 * Puts the jobs of a blocked thread back and names the cause in the log. Call it before the thread is ended, because
 * otherwise all its jobs would count as failed. The job that blocked, or the page that it worked on, has used up an
 * attempt and waits as after any failure. The others have not.
 */
export async function putBackBlocked(
  db: Db,
  { thread, work, workerIds }: BlockedThread,
  putBackPages: PutBackPages,
  log: Logger,
): Promise<void> {
  const about = work === null ? { job: null } : { job: work.job, ...work.payload, ...work.page };
  log.error({ thread, ...about }, 'a job blocked a worker thread, which is replaced');
  const error = `The ${work?.page ? 'page' : 'job'} blocked its worker thread, which was replaced`;
  const { page = null, jobId } = work ?? {};
  await inTransaction(db, async (trx) => {
    const failed = page === null && jobId !== undefined ? { jobId, error } : null;
    const jobIds = await returnJobs(trx, workerIds, failed);
    await putBackPages(trx, jobIds, page);
  });
}

/** A job that will not be tried again, with the error of its last attempt. */
export type DeadJob<N extends JobName = JobName> = { name: N; payload: JobPayloads[N]; error: string };

/**
 * Handles a job that will not be tried again. `db` is the transaction that removes the job, so what is written
 * through it happens exactly once.
 */
export type GiveUpJob = <N extends JobName>(db: Db, job: DeadJob<N>) => Promise<void>;

/**
 * Passes every job without attempts left to `giveUp` and removes it, whether its handler failed or its worker died.
 * If `giveUp` throws, the job stays until the next time and does not delay the others.
 */
export async function giveUpDeadJobs(db: Db, giveUp: GiveUpJob, log: Logger): Promise<void> {
  const kept: string[] = [];
  while (await giveUpNext(db, giveUp, log, kept)) {
    // One transaction per job, so that a failure for one job does not roll back the others.
  }
}

async function giveUpNext(db: Db, giveUp: GiveUpJob, log: Logger, kept: string[]): Promise<boolean> {
  let id: string | null = null;
  try {
    return await inTransaction(db, async (trx) => {
      const row = await takeDeadJob(trx, kept);
      if (row === null) return false;
      id = row.id;
      if (!row.superseded) await handOver(trx, row, giveUp, log);
      return true;
    });
  } catch (error) {
    if (id === null) throw error;
    log.error({ err: error, jobId: id }, 'a job could not be given up and stays for the next attempt');
    kept.push(id);
    return true;
  }
}

async function handOver(trx: Db, row: DeadRow, giveUp: GiveUpJob, log: Logger): Promise<void> {
  const { name } = row;
  const payload = isJobName(name) ? parsePayload(name, row.payload) : null;
  if (!isJobName(name) || payload === null) {
    log.error({ job: name }, 'dropped a job that failed on every attempt: its name or payload is unknown');
    return;
  }
  await giveUp(trx, { name, payload, error: row.error ?? 'The worker died while it ran this job' });
}

const RECOVER_MS = 2_000;
const TIDY_MS = 60_000;
/** Measured: this many queue names don't slow down the search for a job. */
const IDLE_QUEUES_KEPT = 50;
const LOCK_NOT_AVAILABLE = '55P03';

/** The queue maintenance that every worker host does, for the jobs of all hosts. */
export function queueMaintenance(db: Db, giveUp: GiveUpJob, log: Logger): ScheduledTask[] {
  return [
    { name: 'release dead workers', everyMs: RECOVER_MS, run: () => releaseDeadWorkers(db, log) },
    { name: 'give up dead jobs', everyMs: RECOVER_MS, run: () => giveUpDeadJobs(db, giveUp, log) },
    { name: 'tidy queues', everyMs: TIDY_MS, run: () => tidyQueues(db) },
  ];
}

/** Returns the jobs of dead workers to the queue, and wakes the waiting workers. */
export async function releaseDeadWorkers(db: Db, log: Logger): Promise<void> {
  const workerIds = await findDeadWorkers(db);
  if (workerIds.length === 0) return;
  await inTransaction(db, (trx) => unlockWorkers(trx, workerIds));
  log.warn({ workerIds }, 'released the jobs of dead workers');
}

/** Deletes the queues of runs and repositories that have no jobs, unless somebody is adding jobs at this moment. */
export async function tidyQueues(db: Db): Promise<void> {
  if ((await countIdleQueues(db)) <= IDLE_QUEUES_KEPT) return;
  try {
    await inTransaction(db, (trx) => removeIdleQueues(trx));
  } catch (error) {
    if (!hasCode(error, LOCK_NOT_AVAILABLE)) throw error;
  }
}
