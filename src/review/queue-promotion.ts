import type { Db } from '../db/database.ts';
import { enqueue } from '../queue/enqueue.ts';
import type { PullRequestKey } from '../runs/run.ts';
import { findPullRequestOf } from '../runs/run-store.ts';

/** Has what is approved of the pull request made baselines, if it is merged: the job looks. */
export async function queuePromotion(trx: Db, { owner, repo, number }: PullRequestKey, runAt?: Date): Promise<void> {
  const name = `promote/${owner}/${repo}/${number}`;
  const pace = runAt === undefined ? {} : { keyMode: 'preserve_run_at' as const, runAt };
  const payload = { owner, repo, number: String(number) };
  await enqueue(trx, 'promote-pull-request', payload, { key: name, queue: name, ...pace });
}

/** An approval that comes after the merge promotes at once: whichever comes first, nothing is lost (contract 7.4). */
export async function queuePromotionOf(trx: Db, runId: string): Promise<void> {
  const pullRequest = await findPullRequestOf(trx, runId);
  if (pullRequest !== null) await queuePromotion(trx, pullRequest);
}
