import type { Db } from '../db/database.ts';
import { cancelRunsOfClosed, supersedeRuns } from '../runs/end-pull-request-run.ts';
import type { EndReason } from '../runs/pull-request-run.ts';
import { queuePromotion } from '../runs/queue-promotion.ts';
import { startPullRequestRun } from '../runs/start-pull-request-run.ts';
import type { LinkedSuite } from '../suites/linked-suites.ts';
import type { HandlerContext } from './handler.ts';
import type { PullRequest } from './pull-request.ts';
import { headOf } from './pull-request.ts';

/** Runs of the head of an open pull request, one for each suite, in the place of those of other heads (contract 7.10). */
export async function startRuns(
  trx: Db,
  ctx: HandlerContext,
  suites: LinkedSuite[],
  current: PullRequest,
): Promise<void> {
  await supersedeRuns(trx, ctx, current);
  // Back at a head that was left, open again, or the suite is back: what was cancelled for that must not block for ever.
  const againAfter: EndReason[] = ['superseded', 'pull_request_closed', 'suite_unlinked', 'suite_inactive'];
  if (!current.draft) againAfter.push('draft_ignored');
  for (const suite of suites) await startPullRequestRun(trx, ctx, suite, headOf(current), againAfter);
}

/** What a pull request that is over leaves to do (contract 7.12). */
export async function endRuns(trx: Db, ctx: HandlerContext, current: PullRequest): Promise<void> {
  if (current.state === 'CLOSED') return cancelRunsOfClosed(trx, ctx, current);
  await supersedeRuns(trx, ctx, current);
  await queuePromotion(trx, current);
}
