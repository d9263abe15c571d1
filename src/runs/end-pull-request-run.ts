import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { appendLogs } from './log-store.ts';
import type { EndReason, PullRequestKey } from './pull-request-run.ts';
import { findInFlight } from './pull-request-run-store.ts';
import { cancelPendingResults } from './result-store.ts';
import { IN_FLIGHT } from './run.ts';
import { lockRun, moveRun } from './run-store.ts';
import { tellCheck } from './tell-check.ts';

/** `error` is the sentence for people. */
export type RunEnd = { status: 'COMPLETED' | 'FAILED'; reason: EndReason; error: string };

/** Ends a run that has taken no picture. False when it was opened, cancelled or ended meanwhile. */
export async function endPullRequestRun(
  db: Db,
  ctx: Pick<Context, 'clock'>,
  runId: string,
  { status, reason, error }: RunEnd,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const run = await lockRun(trx, runId);
    if (run === null || run.git?.enqueued === true) return false;
    const metadata = { reason, error };
    if (!(await moveRun(trx, runId, ['PENDING'], status, { endedAt: ctx.clock.now(), metadata }))) return false;
    const type = status === 'FAILED' ? 'ERROR' : 'INFO';
    await appendLogs(trx, runId, [{ type, message: error, metadata: { reason }, progress: 100 }]);
    await tellCheck(trx, run, 'now');
    return true;
  });
}

/** In the caller's transaction; nothing when the run is over. `message` is for its log. */
export async function cancelPullRequestRun(
  trx: Db,
  ctx: Pick<Context, 'clock'>,
  runId: string,
  why: { reason: EndReason; by?: string; message: string },
): Promise<void> {
  const run = await lockRun(trx, runId);
  if (run === null) return;
  const { message, ...cause } = why;
  const endedAt = ctx.clock.now();
  const metadata = { ...run.metadata, ...cause, cancelledAt: endedAt.toISOString() };
  if (!(await moveRun(trx, runId, IN_FLIGHT, 'CANCELLED', { endedAt, metadata }))) return;
  await cancelPendingResults(trx, runId);
  await appendLogs(trx, runId, [{ type: 'SYSTEM', message, metadata: cause }]);
  await tellCheck(trx, run, 'now');
}

/** Contract 7.10: runs in flight of other heads of the pull request are CANCELLED; pictures of them help nobody. */
export async function supersedeRuns(
  trx: Db,
  ctx: Pick<Context, 'clock'>,
  pullRequest: PullRequestKey & { headSha: string },
): Promise<void> {
  const older = (await findInFlight(trx, pullRequest)).filter((run) => run.headSha !== pullRequest.headSha);
  const message = `Run cancelled: superseded by ${pullRequest.headSha.slice(0, 7)}`;
  for (const run of older)
    await cancelPullRequestRun(trx, ctx, run.id, { reason: 'superseded', by: pullRequest.headSha, message });
}

/** Contract 7.12: nobody waits for what a closed pull request looks like. */
export async function cancelRunsOfClosed(
  trx: Db,
  ctx: Pick<Context, 'clock'>,
  pullRequest: PullRequestKey,
): Promise<void> {
  const message = 'Run cancelled: the pull request was closed';
  for (const run of await findInFlight(trx, pullRequest)) {
    await cancelPullRequestRun(trx, ctx, run.id, { reason: 'pull_request_closed', message });
  }
}
