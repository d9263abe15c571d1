import { inTransaction, type Db } from '../db/database.ts';
import { hasCode } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { giveUpDeadJobs, type GiveUpJob } from './give-up-jobs.ts';
import { countIdleQueues, findDeadWorkers, removeIdleQueues, unlockWorkers } from './job-store.ts';
import type { ScheduledTask } from './schedule.ts';

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
