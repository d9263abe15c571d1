import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { enqueue } from '../queue/enqueue.ts';
import type { EndReason } from '../runs/end-reason.ts';
import type { LinkedSuite } from '../suites/linked-suites.ts';
import { cancelRunsOfClosed, supersedeRuns } from './end-pull-request-run.ts';
import { hasRunOf, setMerged } from './pull-request-run-store.ts';
import { changePullRequest, insertPullRequest, lockPullRequest } from './pull-request-store.ts';
import type { PullRequest, PullRequestNews } from './pull-request.ts';
import { headOf, isNewer } from './pull-request.ts';
import { startPullRequestRun } from './start-pull-request-run.ts';

type FollowContext = Pick<Context, 'clock' | 'config'>;

/** Contract 7.10. */
const STARTS_RUNS = new Set(['opened', 'reopened', 'synchronize', 'ready_for_review']);

/** The pull request as it is after this event and those before it, locked: handlers of one take turns. */
async function recordNews(trx: Db, { before, ...news }: PullRequestNews): Promise<PullRequest> {
  const told = news.pullRequest;
  if (await insertPullRequest(trx, told)) return told;
  const known = await lockPullRequest(trx, told);
  if (known === null) throw new Error(`Pull request ${told.owner}/${told.repo}#${told.number} vanished`);
  const isPastHead = before !== null && (await hasRunOf(trx, told, before));
  if (!isNewer(known, { before, ...news }, isPastHead)) return known;
  await changePullRequest(trx, told);
  return told;
}

/** Runs of the head of an open pull request, one for each suite, in the place of those of other heads (contract 7.10). */
export async function startRuns(
  trx: Db,
  ctx: FollowContext,
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
export async function endRuns(trx: Db, ctx: FollowContext, current: PullRequest): Promise<void> {
  if (current.state === 'CLOSED') return cancelRunsOfClosed(trx, ctx, current);
  await setMerged(trx, current);
  await supersedeRuns(trx, ctx, current);
  await enqueue(trx, 'promote-pull-request', current);
}

/**
 * Records what an event says of a pull request, and starts or ends its runs. Only what the pull request now is decides,
 * so that an event that comes late or twice does no harm.
 * @returns the pull request as it is now.
 */
export async function followPullRequest(
  trx: Db,
  ctx: FollowContext,
  suites: LinkedSuite[],
  news: PullRequestNews,
): Promise<PullRequest> {
  const current = await recordNews(trx, news);
  if (current.state === 'MERGED') await setMerged(trx, current);
  // Of a repository without a suite only the state is kept: it may have another name, of which an event comes later.
  if (suites.length === 0) return current;
  const { action, pullRequest: told } = news;
  if (current.state !== 'OPEN') {
    if (action === 'closed') await endRuns(trx, ctx, current);
  } else if (STARTS_RUNS.has(action) && told.headSha === current.headSha) {
    await startRuns(trx, ctx, suites, current);
  }
  return current;
}
