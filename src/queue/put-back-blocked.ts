import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/in-transaction.ts';
import type { Logger } from '../logger.ts';
import { JOB_KINDS, isJobName, parsePayload } from './job-kinds.ts';
import { findJob, returnBlockedJobs } from './job-store.ts';
import type { JobRow } from './job-store.ts';

/** A worker thread whose event loop does not turn. */
export type BlockedThread = {
  thread: string;
  /** The job whose code runs. Null: it is not known. */
  jobId: string | null;
  /** Under which the thread's lanes hold jobs. */
  workerIds: string[];
};

const ERROR = 'The job blocked its worker thread, which was replaced';

/** What may be logged of a job: its kind, and the ids in its payload. */
function describeJob(row: JobRow | null): object {
  if (row === null) return { job: null };
  const { name } = row;
  const payload = isJobName(name) && JOB_KINDS[name].isPrivate !== true ? parsePayload(name, row.payload) : null;
  return { job: name, ...payload };
}

/**
 * Puts the jobs of a blocked thread back and names the cause in the log. Call it before the thread is ended, since its jobs
 * would count as failed with it. The job that blocked has used up an attempt, and waits as after any failure. The others
 * have not.
 */
export async function putBackBlocked(db: Db, { thread, jobId, workerIds }: BlockedThread, log: Logger): Promise<void> {
  const job = jobId === null ? null : await findJob(db, jobId);
  log.error({ thread, ...describeJob(job) }, 'a job blocked a worker thread, which is replaced');
  await inTransaction(db, (trx) => returnBlockedJobs(trx, { workerIds, blockedBy: jobId, error: ERROR }));
}
