import { inTransaction, type Db } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import { returnJobs } from './job-store.ts';
import type { PageOfJob, Work } from './job.ts';

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
