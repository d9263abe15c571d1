import type { Db } from '../../db/database.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { findPullRequestKey } from '../../runs/run-store.ts';

/**
 * An approval may come before or after the merge. After the merge, this job promotes at once (docs/rules.md,
 * Baselines).
 */
export async function queuePromotionForRun(trx: Db, runId: string): Promise<void> {
  const pullRequest = await findPullRequestKey(trx, runId);
  if (pullRequest !== null) await enqueue(trx, 'promote-pull-request', pullRequest);
}
