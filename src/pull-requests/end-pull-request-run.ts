import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { cancelInFlight, endRun } from '../runs/end-run.ts';
import { findPullRequestKey, lockRun } from '../runs/run-store.ts';
import type { EndCause, EndReason, Run } from '../runs/run.ts';
import { lockConfigFile } from '../suites/suite-store.ts';
import { findInFlight, findUnlinked } from './pull-request-run-store.ts';
import type { JudgedBy } from './pull-request-run.ts';
import { lockPullRequest } from './pull-request-store.ts';
import type { PullRequest } from './pull-request.ts';

/** `error` is a sentence for people. `judgedBy`: what this holds for; omitted, for anything. */
export type EarlyEnd = { status: 'COMPLETED' | 'FAILED'; reason: EndReason; error: string; judgedBy?: JudgedBy };

/** Ends a run before its first capture. */
export async function endEarly(
  trx: Db,
  ctx: Pick<Context, 'clock'>,
  run: Run,
  { status, reason, error }: EarlyEnd,
): Promise<boolean> {
  const type = status === 'FAILED' ? 'ERROR' : 'INFO';
  return endRun(trx, ctx, run, {
    from: ['PENDING'],
    to: status,
    metadata: { reason, error },
    line: { type, message: error, metadata: { reason }, progress: 100 },
  });
}

/** Locks the pull request before the run, as its events do. */
async function isReadyForReview(trx: Db, runId: string): Promise<boolean> {
  const key = await findPullRequestKey(trx, runId);
  return key !== null && (await lockPullRequest(trx, key))?.draft === false;
}

/**
 * The run, locked. Null when it is gone, or it or its suite is judged by something else now. Who replaces the suite's file
 * waits until the transaction ends, and then finds the run as this leaves it.
 */
export async function lockAsJudged(trx: Db, runId: string, judgedBy: JudgedBy | undefined): Promise<Run | null> {
  const run = await lockRun(trx, runId);
  if (judgedBy === undefined || run === null) return run;
  const file = await lockConfigFile(trx, judgedBy.suiteId);
  const isAsJudged = run.git?.baseBranch === judgedBy.baseBranch && (file?.blobSha ?? null) === judgedBy.file;
  return isAsJudged ? run : null;
}

/**
 * Ends a run that has no preview. False when it got a preview, another base or another configuration file, became ready
 * for review, was cancelled or ended in the meantime.
 */
export async function endPullRequestRun(
  db: Db,
  ctx: Pick<Context, 'clock'>,
  runId: string,
  end: EarlyEnd,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    if (end.reason === 'draft_ignored' && (await isReadyForReview(trx, runId))) return false;
    const run = await lockAsJudged(trx, runId, end.judgedBy);
    return run !== null && run.git?.enqueued !== true && endEarly(trx, ctx, run, end);
  });
}

/**
 * Cancels runs in flight of a closed pull request; of an open one only those of other heads, as their screenshots are
 * outdated (docs/rules.md, Pull requests).
 */
export async function cancelOutdatedRuns(
  trx: Db,
  ctx: Pick<Context, 'clock'>,
  pullRequest: Pick<PullRequest, 'owner' | 'repo' | 'number' | 'headSha' | 'state'>,
): Promise<void> {
  const { state, headSha } = pullRequest;
  const cause: EndCause =
    state === 'CLOSED' ? { reason: 'pull_request_closed' } : { reason: 'superseded', by: headSha };
  for (const run of await findInFlight(trx, pullRequest)) {
    if (state === 'CLOSED' || run.headSha !== headSha) await cancelInFlight(trx, ctx, run.id, cause);
  }
}

/** Job: cancels runs of pull requests whose suite is inactive or unlinked. Their checks end, too. */
export async function endUnlinkedRuns(
  ctx: Pick<Context, 'db' | 'clock'>,
  { suiteId }: { suiteId: string },
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    for (const { id, isActive } of await findUnlinked(trx, suiteId)) {
      await cancelInFlight(trx, ctx, id, { reason: isActive ? 'suite_unlinked' : 'suite_inactive' });
    }
  });
}
