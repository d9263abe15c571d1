import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/in-transaction.ts';
import type { Logger } from '../logger.ts';
import { isDeadJob } from './job.ts';
import type { DeadJob } from './job.ts';
import { takeDeadJob } from './job-store.ts';

/**
 * What becomes of a job that will not be tried again. `db` is the transaction that removes the job: what is written
 * through it happens exactly once.
 */
export type OnDeadJob = (db: Db, job: DeadJob) => Promise<void>;

/**
 * Hands every job that has no attempt left to `onDeadJob` and removes it, whether its handler failed or its worker
 * died. One that `onDeadJob` throws at stays for the next time and does not hold up the others.
 */
export async function buryDeadJobs(db: Db, onDeadJob: OnDeadJob, log: Logger): Promise<void> {
  const kept: string[] = [];
  while (await buryNext(db, onDeadJob, log, kept)) {
    // One transaction a job: what fails for one is not undone for the others.
  }
}

async function buryNext(db: Db, onDeadJob: OnDeadJob, log: Logger, kept: string[]): Promise<boolean> {
  let id: string | null = null;
  try {
    return await inTransaction(db, async (trx) => {
      const row = await takeDeadJob(trx, kept);
      if (row === null) return false;
      id = row.id;
      const job = { name: row.name, payload: row.payload, error: row.error ?? 'The worker died while it ran this job' };
      if (row.superseded) return true;
      if (isDeadJob(job)) await onDeadJob(trx, job);
      else log.error({ job: row.name }, 'a dead job is not of a known form and is dropped');
      return true;
    });
  } catch (error) {
    if (id === null) throw error;
    log.error({ err: error, jobId: id }, 'what follows from a dead job failed and will be tried again');
    kept.push(id);
    return true;
  }
}
