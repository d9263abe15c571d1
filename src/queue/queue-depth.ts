import type { Db } from '../db/database.ts';
import { countJobs } from './job-store.ts';
import type { QueueStates } from './job-store.ts';

/** How full the queue is, over all hosts. */
export async function countQueueStates(db: Db): Promise<QueueStates> {
  return countJobs(db);
}
