import type { Db } from '../db/database.ts';
import { enqueue } from '../queue/enqueue.ts';
import { findPullRequestOf } from '../runs/run-store.ts';

/** An approval that comes after the merge promotes at once: whichever comes first, nothing is lost (contract 7.4). */
export async function queuePromotionOf(trx: Db, runId: string): Promise<void> {
  const pullRequest = await findPullRequestOf(trx, runId);
  if (pullRequest !== null) await enqueue(trx, 'promote-pull-request', pullRequest);
}
