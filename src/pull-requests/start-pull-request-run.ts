import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { countRunnablePages, findTrackedRemovedPaths } from '../pages/site-page-store.ts';
import { enqueue } from '../queue/enqueue.ts';
import { keepAssignees } from '../runs/assignees/assignee-store.ts';
import { addRun, explainEmpty, fillRun } from '../runs/fill-run.ts';
import { appendLogs } from '../runs/log/log-store.ts';
import { queueCheckUpdate } from '../runs/queue-check-update.ts';
import { findRun, lockSuiteRuns } from '../runs/run-store.ts';
import { isInFlight } from '../runs/run.ts';
import { keepSettingsChange } from '../runs/settings-change/read-settings.ts';
import { linkedSuites, type LinkedSuite } from '../suites/linked-suites.ts';
import { shortSha } from '../text/format.ts';
import { describeConfigChange } from './check/check-settings.ts';
import { setCheckNotice } from './check/run-check.ts';
import { endEarly, endPullRequestRun, lockAsJudged, type EarlyEnd } from './end-pull-request-run.ts';
import { setPreview } from './previews/preview-search-store.ts';
import type { PreviewSearch } from './previews/preview-search.ts';
import { findNewestAttempt, findPullRequestRun, findWaiting } from './pull-request-run-store.ts';
import type { AgainAfter, CommitKey, FoundPreview, PullRequestHead, PullRequestRun } from './pull-request-run.ts';
import { findDefaultBranch, findOpenPullRequestsAt } from './pull-request-store.ts';
import { isGatedBase } from './pull-request.ts';
import { findBelow } from './stack-store.ts';

/**
 * There may be nothing to capture yet, which must not block. But if nothing is left of what was tracked, nobody is shown
 * what the pull request does to it.
 */
function endOfEmpty({ reason, error }: ReturnType<typeof explainEmpty>): EarlyEnd {
  const status = reason === 'no_tracked_pages' ? 'COMPLETED' : 'FAILED';
  return { status, reason, error: `${error}, so there is nothing to capture.` };
}

function hasRoom(last: PullRequestRun, againAfter: AgainAfter): boolean {
  if (isInFlight(last.status)) return false;
  return againAfter === 'any end' || againAfter.some((reason) => reason === last.reason);
}

const columnsOf = (head: PullRequestHead) => ({
  gitOwner: head.owner,
  gitRepo: head.repo,
  gitPrNumber: head.number,
  gitTitle: head.title,
  gitHeadSha: head.headSha,
  gitBranch: head.headBranch,
  gitBaseBranch: head.baseBranch,
  gitInstallationId: head.installationId,
});

/**
 * Adds a run of the pull request's head that waits for its preview. In the same transaction (the caller's) it queues
 * the update of the check, the search for the preview and the job that gives up after the deadline. However often the
 * events come, there is one run per (suite, pull request, head), unless `againAfter` allows another (docs/rules.md,
 * Pull requests).
 * @returns the ID of the run; null when there is one already.
 */
export async function startPullRequestRun(
  trx: Db,
  ctx: Pick<Context, 'clock' | 'config'>,
  { suite, checkName }: LinkedSuite,
  head: PullRequestHead,
  againAfter: AgainAfter,
): Promise<string | null> {
  await lockSuiteRuns(trx, suite.id);
  const last = await findNewestAttempt(trx, suite.id, head);
  if (last !== null && !hasRoom(last, againAfter)) return null;
  const now = ctx.clock.now();
  const attempt = (last?.attempt ?? 0) + 1;
  const previewDeadline = new Date(now.getTime() + ctx.config.previewTimeout);
  const { id } = await addRun(trx, {
    ...columnsOf(head),
    testSuiteId: suite.id,
    runType: 'PR',
    trigger: 'PUSH',
    targetBaseUrl: '',
    config: suite.config,
    checkName,
    previewDeadline,
    createdAt: now,
    gitBaseNumber: await findBelow(trx, head),
    gitGated: isGatedBase(suite.config, head.baseBranch, await findDefaultBranch(trx, head)),
    gitAttempt: attempt,
    gitEnqueued: false,
  });
  await keepAssignees(trx, { id });
  await appendLogs(trx, id, [
    {
      type: 'SYSTEM',
      message: `Waiting for a preview deployment of ${shortSha(head.headSha)}, pull request #${head.number}`,
      metadata: { prNumber: head.number, headSha: head.headSha, attempt },
      progress: 0,
    },
  ]);
  if ((await countRunnablePages(trx, suite.id)) === 0) {
    const removed = await findTrackedRemovedPaths(trx, suite.id);
    await endPullRequestRun(trx, ctx, id, endOfEmpty(explainEmpty(0, removed.length)));
    return id;
  }
  await enqueue(trx, 'find-preview', { runId: id });
  await enqueue(trx, 'expire-preview', { runId: id }, { runAt: previewDeadline });
  await queueCheckUpdate(trx, { id, runType: 'PR' }, 'now');
  return id;
}

/** Null when the run has a preview, has ended, or was deleted. */
export async function readWaitingRun({ db }: Pick<Context, 'db'>, runId: string): Promise<PullRequestRun | null> {
  const run = await findPullRequestRun(db, runId);
  return run === null || run.status !== 'PENDING' || run.enqueued ? null : run;
}

/**
 * Searches again for the commit's preview, for the waiting runs that `isWanted` selects by the outcome of their last
 * search (null: there was none).
 */
export async function queuePreviewSearches(
  trx: Db,
  commit: CommitKey,
  isWanted: (search: PreviewSearch | null) => boolean,
): Promise<void> {
  for (const run of await findWaiting(trx, commit)) {
    if (isWanted(run.search)) await enqueue(trx, 'find-preview', { runId: run.id });
  }
}

/**
 * Starts another attempt at a commit for each suite of the repository that `wanted` names and that has none in flight.
 * Only for commits that are still the head of an open pull request, as other results are not needed.
 */
export async function runAgain(
  trx: Db,
  ctx: Pick<Context, 'clock' | 'config' | 'log'>,
  { owner, repo, headSha }: CommitKey,
  wanted: (suite: LinkedSuite, number: number) => boolean = () => true,
): Promise<void> {
  const suites = await linkedSuites({ db: trx, config: ctx.config }, { owner, repo });
  let started = 0;
  for (const current of await findOpenPullRequestsAt(trx, { owner, repo, headSha })) {
    for (const suite of suites.filter((each) => wanted(each, current.number))) {
      if ((await startPullRequestRun(trx, ctx, suite, current, 'any end')) !== null) started += 1;
    }
  }
  ctx.log.info({ owner, repo, headSha, started }, 're-run requested');
}

/**
 * Starts the captures of a run whose preview was found: adds its results and their capture jobs. This happens once,
 * even if the preview is reported twice.
 * @returns false when the captures had been started already, the run had ended, or it is judged by something else now.
 */
export async function openPullRequestRun(
  ctx: Pick<Context, 'db' | 'clock'>,
  runId: string,
  preview: FoundPreview,
): Promise<boolean> {
  return inTransaction(ctx.db, async (trx) => {
    if ((await lockAsJudged(trx, runId, preview.judgedBy)) === null) return false;
    if (!(await setPreview(trx, runId, preview, ctx.clock.now()))) return false;
    const run = await findRun(trx, runId);
    if (run === null) return false;
    const change = run.git?.configChange;
    if (change !== undefined) {
      const message = describeConfigChange(change, run.git?.baseBranch).join(' ');
      await appendLogs(trx, run.id, [{ type: 'WARNING', message, metadata: { ...change } }]);
    }
    const settings = preview.own?.settings ?? null;
    if (settings !== null) {
      await keepSettingsChange(trx, run.id, settings);
      // The configuration of the suite may have changed since they were compared.
      await enqueue(trx, 'follow-settings', { suiteId: run.testSuiteId });
    }
    const empty = await fillRun(trx, run, settings?.looks);
    if (empty !== null) await endEarly(trx, ctx, run, endOfEmpty(empty));
    // Removes the notice about the wait for a preview.
    await setCheckNotice(trx, run, null);
    return true;
  });
}
