import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { enqueue } from '../queue/enqueue.ts';
import type { EndReason } from '../runs/run.ts';
import type { LinkedSuite } from '../suites/linked-suites.ts';
import { carryOverToHead } from './carry-over-stack.ts';
import { queueChecksAtCommit } from './check/run-check.ts';
import { cancelOutdatedRuns } from './end-pull-request-run.ts';
import { followBase, followStack, judgeHeadAgain, startLeftOutRuns } from './gate-pull-requests.ts';
import { hasRunAtHead, setHead, setMerged, setTitle } from './pull-request-run-store.ts';
import { changePullRequest, insertPullRequest, lockPullRequest } from './pull-request-store.ts';
import { followNews, isNewer, type PullRequest, type PullRequestNews } from './pull-request.ts';
import { startPullRequestRun } from './start-pull-request-run.ts';

type FollowContext = Pick<Context, 'clock' | 'config'>;

/** The actions after which the head needs a run. */
const STARTS_RUNS = new Set(['opened', 'reopened', 'synchronize', 'ready_for_review']);

/**
 * The state of the pull request after this event. The row is locked, so events of one pull request are handled one at a
 * time.
 * @param pastHeads heads that it had in events before this one
 */
async function recordNews(
  trx: Db,
  { before, ...news }: PullRequestNews,
  pastHeads: ReadonlySet<string>,
): Promise<{ current: PullRequest; before: PullRequest | null }> {
  const told = news.pullRequest;
  if (await insertPullRequest(trx, told)) return { current: told, before: null };
  const known = await lockPullRequest(trx, told);
  if (known === null) throw new Error(`Pull request ${told.owner}/${told.repo}#${told.number} vanished`);
  const isPastHead = before !== null && (pastHeads.has(before) || (await hasRunAtHead(trx, told, before)));
  if (!isNewer(known, { before, ...news }, isPastHead)) return { current: known, before: known };
  const current = followNews(known, { before, ...news });
  await changePullRequest(trx, current);
  return { current, before: known };
}

async function follow(
  trx: Db,
  news: PullRequestNews,
  pastHeads: ReadonlySet<string>,
): Promise<{ current: PullRequest; hasNewBase: boolean; isPushed: boolean }> {
  const { current, before } = await recordNews(trx, news, pastHeads);
  const isOtherBase = before !== null && before.baseBranch !== current.baseBranch;
  // A head that comes back, or is opened again, has runs of an earlier base, and of earlier settings of its suites.
  const isOther = before !== null && (before.state !== current.state || before.headSha !== current.headSha);
  if (isOther) await setHead(trx, current);
  const hasNewBase = (isOtherBase || isOther) && (await followBase(trx, current));
  if (before?.state !== current.state) await followStack(trx, current);
  if (isOther) await queueChecksAtCommit(trx, before);
  if (isOther && current.state === 'OPEN') {
    await carryOverToHead(trx, current);
    await judgeHeadAgain(trx, current);
  }
  if (before !== null && before.title !== current.title) await setTitle(trx, current);
  if (current.state === 'MERGED') await setMerged(trx, current);
  return { current, hasNewBase, isPushed: before !== null && before.headSha !== current.headSha };
}

/**
 * Starts a run of the pull request's head for each suite; they supersede runs of other heads (docs/rules.md, Pull
 * requests).
 */
export async function startRuns(
  trx: Db,
  ctx: FollowContext,
  suites: LinkedSuite[],
  current: PullRequest,
): Promise<void> {
  await cancelOutdatedRuns(trx, ctx, current);
  // These ends can be reversed: a force push back, a reopened pull request, a relinked suite, a page that is tracked. Then
  // the head runs again.
  const againAfter: EndReason[] = [
    'superseded',
    'pull_request_closed',
    'suite_unlinked',
    'suite_inactive',
    'no_tracked_pages',
    'tracked_pages_removed',
  ];
  if (!current.draft) againAfter.push('draft_ignored');
  for (const suite of suites) {
    const run = await startPullRequestRun(trx, ctx, suite, current, againAfter);
    // Baselines may have moved while nobody looked at the head's existing run.
    if (run === null) await enqueue(trx, 'follow-baselines', { suiteId: suite.suite.id });
  }
  if (current.state === 'MERGED') await setMerged(trx, current);
}

/** Ends the runs of a closed pull request, or promotes those of one that was recorded as merged. */
export async function endRuns(trx: Db, ctx: FollowContext, current: PullRequest): Promise<void> {
  await cancelOutdatedRuns(trx, ctx, current);
  if (current.state === 'CLOSED') return;
  await enqueue(trx, 'promote-pull-request', current);
  // An App that is not subscribed to pushes learns about changes of the file from merges.
  await enqueue(trx, 'read-config-file', { owner: current.owner, repo: current.repo });
}

/** A pull request that was merged immediately still needs a run, even if its push is told of after the merge. */
const callsForRun = ({ action, pullRequest: told }: PullRequestNews, current: PullRequest): boolean =>
  current.state !== 'CLOSED' && STARTS_RUNS.has(action) && told.headSha === current.headSha;

/**
 * Records what events say about a pull request, in their order, and then starts or ends its runs. The state of the pull
 * request after the last event decides. A push that was followed by another one gets no run, and an event that arrives
 * late or twice has no effect.
 * @param suites read after `lockPullRequests`
 * @param news of one pull request, at least one
 * @returns the pull request's current state.
 */
export async function followPullRequest(
  trx: Db,
  ctx: FollowContext,
  suites: LinkedSuite[],
  news: readonly PullRequestNews[],
): Promise<PullRequest> {
  const pastHeads = new Set<string>();
  let current: PullRequest | null = null;
  let wanted: string | null = null;
  let hasNewBase = false;
  for (const each of news) {
    if (current !== null) pastHeads.add(current.headSha);
    const followed = await follow(trx, each, pastHeads);
    current = followed.current;
    hasNewBase ||= followed.hasNewBase;
    // The event of the push may be lost.
    const isPushed = followed.isPushed && current.state === 'OPEN';
    if (isPushed || callsForRun(each, current)) wanted = current.headSha;
  }
  if (current === null) throw new Error('There is nothing to follow');
  // If no suite is linked to this name, the repository may have been renamed and that event may still arrive, so the state
  // is stored anyway. What was approved before a suite became inactive is promoted.
  if (hasNewBase && current.state === 'OPEN') await startLeftOutRuns(trx, ctx, suites, current);
  if (wanted === current.headSha && current.state !== 'CLOSED') await startRuns(trx, ctx, suites, current);
  if (current.state !== 'OPEN' && news.some(({ action }) => action === 'closed')) await endRuns(trx, ctx, current);
  return current;
}
