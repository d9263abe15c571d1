import type { Context } from '../../context.ts';
import { inTransaction, type Db } from '../../db/database.ts';
import { endPullRequestRun, type EarlyEnd } from '../../pull-requests/end-pull-request-run.ts';
import { describeSignal } from '../../pull-requests/previews/preview-search.ts';
import { notePreviewSearch } from '../../pull-requests/previews/search-previews-again.ts';
import { findNewestAttempt } from '../../pull-requests/pull-request-run-store.ts';
import { WITHOUT_PREVIEW, type PullRequestRun } from '../../pull-requests/pull-request-run.ts';
import { findOpenPullRequestsAt } from '../../pull-requests/pull-request-store.ts';
import {
  openPullRequestRun,
  queuePreviewSearches,
  readWaitingRun,
  startPullRequestRun,
} from '../../pull-requests/start-pull-request-run.ts';
import { enqueue, postponedTo } from '../../queue/enqueue.ts';
import { findBuild, findBuildOfCommit } from '../../runs/builds/build-store.ts';
import { cancelInFlight } from '../../runs/end-run.ts';
import { appendLogs } from '../../runs/log/log-store.ts';
import { findRun } from '../../runs/run-store.ts';
import { isInFlight } from '../../runs/run.ts';
import { CONFIG_FILE } from '../../suites/config-file/config-file.ts';
import { findLinkedSuite } from '../../suites/linked-suites.ts';
import { findSuite } from '../../suites/suite-store.ts';
import { toRepositoryKey } from '../../suites/suite.ts';
import { formatDuration, shortSha } from '../../text/format.ts';
import { askGitHub } from '../app/github-client.ts';
import { lookForPreview, type PreviewOutcome, type SearchContext } from './look-for-preview.ts';
import { followOpenedRun } from './record-signal.ts';

/** The delay before a preview that is not up is tried again. It grows with the time already waited. */
const SOONEST_MS = 3_000;
const LATEST_MS = 60_000;

function nextLook(run: PullRequestRun, now: Date): Date {
  const age = now.getTime() - run.createdAt.getTime();
  return new Date(now.getTime() + Math.min(Math.max(age / 6, SOONEST_MS), LATEST_MS));
}

async function open(
  ctx: SearchContext,
  run: PullRequestRun,
  found: PreviewOutcome & { kind: 'found' },
): Promise<boolean> {
  if (!(await openPullRequestRun(ctx, run.id, found))) return false;
  ctx.log.info(
    { runId: run.id, address: found.address, buildId: found.buildId },
    'found the preview of a pull request',
  );
  if (found.unknownSuites.length === 0) return true;
  const names = found.unknownSuites.join(', ');
  const message = `${CONFIG_FILE} names suites that are not linked to this repository: ${names}`;
  await appendLogs(ctx.db, run.id, [{ type: 'WARNING', message }]);
  return true;
}

async function end(ctx: SearchContext, run: PullRequestRun, how: EarlyEnd): Promise<boolean> {
  const hasEnded = await endPullRequestRun(ctx.db, ctx, run.id, how);
  if (hasEnded) ctx.log.info({ runId: run.id, ...how }, 'a pull request run ended without screenshots');
  return hasEnded;
}

/** Job: looks for the preview of a waiting run. It starts the run, ends it, or looks again later. */
export async function findPreview(ctx: SearchContext, { runId }: { runId: string }): Promise<void> {
  await askGitHub(ctx, 'find-preview', { runId }, async () => search(ctx, runId));
}

async function search(ctx: SearchContext, runId: string): Promise<void> {
  const run = await readWaitingRun(ctx, runId);
  if (run === null) return followOpenedRun(ctx, runId);
  const suite = await findSuite(ctx.db, run.testSuiteId);
  if (suite === null) return;
  const result = await lookForPreview(ctx, run, suite);
  await notePreviewSearch(ctx, run, result.search);
  if (result.kind === 'found' || result.kind === 'ended') {
    const isDone = result.kind === 'found' ? await open(ctx, run, result) : await end(ctx, run, result.end);
    if (!isDone) await enqueue(ctx.db, 'find-preview', { runId });
  } else if (result.kind === 'waiting' && result.problem !== null) {
    await enqueue(ctx.db, 'find-preview', { runId }, postponedTo(nextLook(run, ctx.clock.now())));
  }
}

const NOTHING: PreviewOutcome = { kind: 'waiting', problem: null, search: null };

/** A run must not wait past its time because GitHub does not answer. */
async function lastLook(ctx: SearchContext, run: PullRequestRun): Promise<PreviewOutcome> {
  try {
    const suite = await findSuite(ctx.db, run.testSuiteId);
    return suite === null ? NOTHING : await lookForPreview(ctx, run, suite);
  } catch (error) {
    ctx.log.warn({ err: error, runId: run.id }, 'the last search for a preview failed');
    return NOTHING;
  }
}

/**
 * Job, when a run has waited for its full time: looks one last time, then ends the run.
 */
export async function expirePreview(ctx: SearchContext, { runId }: { runId: string }): Promise<void> {
  const run = await readWaitingRun(ctx, runId);
  if (run === null) return;
  const result = await lastLook(ctx, run);
  await notePreviewSearch(ctx, run, result.search);
  if (result.kind === 'found') {
    if (!(await open(ctx, run, result))) await enqueue(ctx.db, 'expire-preview', { runId });
    return;
  }
  if (result.kind === 'ended' && (await end(ctx, run, result.end))) return;
  const waited = formatDuration((run.previewDeadline.getTime() - run.createdAt.getTime()) / 1000, 'long');
  if (result.kind === 'several') {
    const names = (result.search?.candidates ?? []).map(describeSignal).join(', ');
    const error = `Several deployments fit, and none was chosen within ${waited}: ${names}.`;
    await end(ctx, run, { status: 'FAILED', reason: 'preview_ambiguous', error });
    return;
  }
  const problem = result.kind === 'waiting' ? result.problem : null;
  const error =
    problem === null
      ? `No preview deployment of ${shortSha(run.headSha)} arrived within ${waited}.`
      : `The preview was not ready within ${waited}: ${problem}.`;
  await end(ctx, run, { status: 'FAILED', reason: 'preview_timeout', error });
}

/** Ends a run when every attempt to look for its preview failed: GitHub did not answer for hours. */
export async function giveUpPreview(ctx: Pick<Context, 'db' | 'clock'>, { runId }: { runId: string }): Promise<void> {
  const error = 'Pixelgate could not look for the preview because GitHub did not respond to any attempt.';
  await endPullRequestRun(ctx.db, ctx, runId, { status: 'FAILED', reason: 'preview_timeout', error });
}

/** Whether the head's last attempt captures something else than the newest build of its commit. */
async function isReplaced(trx: Db, { id, testSuiteId, headSha, enqueued }: PullRequestRun): Promise<boolean> {
  const [run, newest] = [await findRun(trx, id), await findBuildOfCommit(trx, testSuiteId, headSha)];
  if (!enqueued || run === null || newest === null) return false;
  const captured = run.buildId === null ? null : await findBuild(trx, testSuiteId, run.buildId);
  return captured?.digest !== newest.digest;
}

/**
 * Job: a build of a commit was uploaded. Runs that wait for its preview search again; those that found none, or capture
 * something else, get another attempt. A pull request that is unknown so far finds the build when its event arrives.
 */
export async function useBuild(
  ctx: Pick<Context, 'db' | 'config' | 'clock'>,
  { suiteId, headSha }: { suiteId: string; headSha: string },
): Promise<void> {
  const suite = await findSuite(ctx.db, suiteId);
  if (!suite?.codehost) return;
  const commit = { ...toRepositoryKey(suite.codehost), headSha };
  const linked = await findLinkedSuite(ctx, commit, suiteId);
  if (linked === null) return;
  await inTransaction(ctx.db, async (trx) => {
    for (const pullRequest of await findOpenPullRequestsAt(trx, commit)) {
      const last = await findNewestAttempt(trx, suiteId, pullRequest);
      const replaced = last !== null && (await isReplaced(trx, last));
      if (replaced && isInFlight(last.status)) await cancelInFlight(trx, ctx, last.id, { reason: 'preview_replaced' });
      await startPullRequestRun(trx, ctx, linked, pullRequest, replaced ? 'any end' : WITHOUT_PREVIEW);
    }
    await queuePreviewSearches(trx, commit, () => true);
  });
}
