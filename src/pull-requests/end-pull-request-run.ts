import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/in-transaction.ts';
import type { EndReason } from '../runs/end-reason.ts';
import { cancelInFlight, endRun } from '../runs/end-run.ts';
import { lockRun } from '../runs/run-store.ts';
import type { PullRequestKey } from '../runs/run.ts';
import { findInFlight, findUnlinked } from './pull-request-run-store.ts';

/** `error` is a sentence for people. */
export type EarlyEnd = { status: 'COMPLETED' | 'FAILED'; reason: EndReason; error: string };

/** Ends a run that has no preview. False when it got a preview, was cancelled or ended in the meantime. */
export async function endPullRequestRun(
  db: Db,
  ctx: Pick<Context, 'clock'>,
  runId: string,
  { status, reason, error }: EarlyEnd,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const run = await lockRun(trx, runId);
    if (run === null || run.git?.enqueued === true) return false;
    const type = status === 'FAILED' ? 'ERROR' : 'INFO';
    return endRun(trx, ctx, run, {
      from: ['PENDING'],
      to: status,
      metadata: { reason, error },
      line: { type, message: error, metadata: { reason }, progress: 100 },
    });
  });
}

/**
 * Cancels runs in flight of other heads of the pull request, as their screenshots are outdated (docs/rules.md, Pull
 * requests).
 */
export async function supersedeRuns(
  trx: Db,
  ctx: Pick<Context, 'clock'>,
  pullRequest: PullRequestKey & { headSha: string },
): Promise<void> {
  const older = (await findInFlight(trx, pullRequest)).filter((run) => run.headSha !== pullRequest.headSha);
  for (const { id } of older) await cancelInFlight(trx, ctx, id, { reason: 'superseded', by: pullRequest.headSha });
}

/** Cancels the runs in flight of a closed pull request. */
export async function cancelRunsOfClosed(
  trx: Db,
  ctx: Pick<Context, 'clock'>,
  pullRequest: PullRequestKey,
): Promise<void> {
  for (const { id } of await findInFlight(trx, pullRequest)) {
    await cancelInFlight(trx, ctx, id, { reason: 'pull_request_closed' });
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
