import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { enqueue } from '../queue/enqueue.ts';
import { queueJudgement, queueJudgementsAbove } from '../runs/judging/queue-judgement.ts';
import { queueCheckUpdate } from '../runs/queue-check-update.ts';
import type { EndReason } from '../runs/run.ts';
import { linkedSuites, type LinkedSuite } from '../suites/linked-suites.ts';
import { findSuite } from '../suites/suite-store.ts';
import type { RepositoryKey } from '../suites/suite.ts';
import { findNewestAttempts, findSuitesWithRuns, setBase } from './pull-request-run-store.ts';
import { findDefaultBranch, findOpenNumbers, lockPullRequest, lockPullRequests } from './pull-request-store.ts';
import { isGatedBase, type PullRequest } from './pull-request.ts';
import { findAbove, findBelow } from './stack-store.ts';
import { startPullRequestRun } from './start-pull-request-run.ts';

/**
 * Updates the last runs of the pull request's head: which branch and which pull request it is based on, and whether
 * they gate its merge. Their checks follow. Their results are judged again from the stored screenshots. With another
 * base, those that wait for a preview look again.
 * @returns whether one of them was of another base branch
 */
export async function followBase(trx: Db, current: PullRequest): Promise<boolean> {
  const { baseBranch, state } = current;
  const basePullRequest = await findBelow(trx, current);
  const defaultBranch = await findDefaultBranch(trx, current);
  let hasNewBase = false;
  for (const run of await findNewestAttempts(trx, current)) {
    // Its base says what it was left out for. It starts again when the pull request is opened again.
    if (run.reason === 'paths_unchanged' && state !== 'OPEN') continue;
    hasNewBase ||= run.baseBranch !== baseBranch;
    const suite = await findSuite(trx, run.testSuiteId);
    const isGated = suite === null ? run.isGated : isGatedBase(suite.config, baseBranch, defaultBranch);
    const isSameBase = run.baseBranch === baseBranch && run.basePullRequest === basePullRequest;
    if (isSameBase && run.isGated === isGated) continue;
    await setBase(trx, run.id, { baseBranch, basePullRequest, isGated });
    await queueCheckUpdate(trx, { id: run.id, runType: 'PR' }, 'now');
    await queueJudgement(trx, run.id);
    if (run.isGated !== isGated) await queueJudgementsAbove(trx, run, current.number);
    if (isSameBase) continue;
    await enqueue(trx, 'follow-base-settings', { runId: run.id });
    // A search that is under way has read the files that change against the old base.
    if (run.status === 'PENDING' && !run.enqueued) await enqueue(trx, 'find-preview', { runId: run.id });
  }
  return hasNewBase;
}

/** Judges a head that came back as its stack is now: meanwhile, other heads of this pull request counted in it. */
export async function judgeHeadAgain(trx: Db, current: PullRequest): Promise<void> {
  for (const run of await findNewestAttempts(trx, current)) {
    await queueJudgement(trx, run.id);
    await queueJudgementsAbove(trx, run, current.number);
  }
}

/** Updates pull requests that are based on this one's branch, after this one was opened, closed or merged. */
export async function followStack(trx: Db, current: PullRequest): Promise<void> {
  for (const key of await findAbove(trx, current)) {
    const above = await lockPullRequest(trx, key);
    if (above?.state === 'OPEN') await followBase(trx, above);
  }
}

/** Base and configuration file decide which files of a pull request matter, and the suite whether anything is captured. */
const LEFT_OUT: readonly EndReason[] = ['paths_unchanged', 'suite_inactive', 'suite_unlinked'];

/**
 * Starts those runs of the head again that were left out as base, configuration file or suite were before, and those of
 * suites that saw the pull request at an earlier head only: they were inactive, or linked elsewhere, when it was pushed.
 */
export async function startLeftOutRuns(
  trx: Db,
  ctx: Pick<Context, 'clock' | 'config'>,
  suites: LinkedSuite[],
  current: PullRequest,
): Promise<void> {
  const seenBy = await findSuitesWithRuns(trx, current);
  for (const suite of suites.filter(({ suite: { id } }) => seenBy.includes(id)))
    await startPullRequestRun(trx, ctx, suite, current, LEFT_OUT);
}

/**
 * Job: after a change of a repository's default branch, of its configuration file there, of a suite's base branches, or of
 * which suites there are, decides again which open pull requests are captured and gated, and what they show.
 */
export async function gatePullRequests(
  ctx: Pick<Context, 'db' | 'clock' | 'config'>,
  repository: RepositoryKey,
): Promise<void> {
  const suites = await linkedSuites(ctx, repository);
  for (const number of await findOpenNumbers(ctx.db, repository)) {
    await inTransaction(ctx.db, async (trx) => {
      await lockPullRequests(trx, repository);
      const current = await lockPullRequest(trx, { ...repository, number });
      if (current?.state !== 'OPEN') return;
      await followBase(trx, current);
      await startLeftOutRuns(trx, ctx, suites, current);
      await enqueue(trx, 'tell-pull-request', current);
    });
  }
}
