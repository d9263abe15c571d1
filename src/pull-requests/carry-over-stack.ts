import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { carryOverApprovals } from '../review/approval/carry-over.ts';
import { updateReviewState } from '../runs/outcome.ts';
import { queueCheckUpdate } from '../runs/queue-check-update.ts';
import { findPullRequestKey, lockRun } from '../runs/run-store.ts';
import { isDecidable, type Run } from '../runs/run.ts';
import { findNewestAttempts } from './pull-request-run-store.ts';
import { findPullRequest } from './pull-request-store.ts';
import type { PullRequest } from './pull-request.ts';
import { findBelow, findMergedInto } from './stack-store.ts';

/**
 * Approves what was approved earlier in the run's pull request, or in one that was merged into its branch.
 * @returns how many decisions were carried over.
 */
export async function carryOverStack(trx: Db, run: Run): Promise<number> {
  const key = await findPullRequestKey(trx, run.id);
  return carryOverApprovals(trx, run, key === null ? [] : await findMergedInto(trx, key));
}

/** Carries the approvals of a merged pull request over to the last runs of the open one that it was merged into. */
export async function carryOverBelow(ctx: Pick<Context, 'db'>, merged: PullRequest): Promise<void> {
  const { owner, repo } = merged;
  const number = await findBelow(ctx.db, merged);
  const below = number === null ? null : await findPullRequest(ctx.db, { owner, repo, number });
  if (below === null) return;
  await inTransaction(ctx.db, async (trx) => carryOverToHead(trx, below));
}

/** Carries over to the last runs of this head what was decided meanwhile. */
export async function carryOverToHead(trx: Db, head: PullRequest): Promise<void> {
  for (const { id } of await findNewestAttempts(trx, head)) {
    const run = await lockRun(trx, id);
    // A run in flight carries it over when it ends.
    if (run === null || !isDecidable(run.status) || (await carryOverStack(trx, run)) === 0) continue;
    await updateReviewState(trx, run);
    await queueCheckUpdate(trx, run, 'now');
  }
}
