import { inTransaction, type Db } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import { isJobName, parsePayload, type JobName, type JobPayloads } from './job-kinds.ts';
import { takeDeadJob, type DeadRow } from './job-store.ts';

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
