import { displayName, toActor, type Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { conflict, notFound } from '../errors.ts';
import { enqueue } from '../queue/enqueue.ts';
import { describeEnd, type EndCause } from './end-reason.ts';
import { appendLogs } from './log/log-store.ts';
import { savePageStates } from './page-results/page-state-store.ts';
import { queueCheckUpdate } from './queue-check-update.ts';
import type { RunFor } from './read-run.ts';
import { recordDrift, recordEnd, recordGate, type RunEnd } from './record-run-events.ts';
import { cancelPendingResults } from './results/result-store.ts';
import { deleteRun, findRun, lockIdleRun, lockRun, moveRun } from './run-store.ts';
import { IN_FLIGHT, type Run } from './run.ts';

/**
 * Ends a run in the caller's transaction; no other code does (docs/rules.md, Runs). Changes the status, cancels pending
 * results, writes the last line of the log, records the events and queues the update of the check.
 * @returns false when the run had already left `from`; nothing is written then.
 */
export async function endRun(trx: Db, { clock }: Pick<Context, 'clock'>, run: Run, end: RunEnd): Promise<boolean> {
  const { from, to, metadata, reviewState, by, results = [], line, at = clock.now() } = end;
  const also = { endedAt: at, metadata, reviewState, cancelledById: by?.id ?? undefined };
  if (!(await moveRun(trx, run.id, from, to, also))) return false;
  await cancelPendingResults(trx, run.id);
  await appendLogs(trx, run.id, [line]);
  await recordEnd(trx, run, end);
  await recordGate(trx, run, reviewState ?? run.reviewState, results);
  await recordDrift(trx, run, results);
  await queueCheckUpdate(trx, run, 'now');
  if (run.runType !== 'MANUAL') return true;
  await savePageStates(trx, run.id);
  // It may have seeded baselines.
  await enqueue(trx, 'follow-baselines', { suiteId: run.testSuiteId });
  return true;
}

/** Cancels a run, in the caller's transaction, for the person `by`. False when the run is over, or gone. */
export async function cancelInFlight(
  trx: Db,
  ctx: Pick<Context, 'clock'>,
  runId: string,
  cause: EndCause,
  by?: Viewer,
): Promise<boolean> {
  const run = await lockRun(trx, runId);
  if (run === null) return false;
  const at = ctx.clock.now();
  return endRun(trx, ctx, run, {
    at,
    from: IN_FLIGHT,
    to: 'CANCELLED',
    metadata: { ...run.metadata, ...cause, cancelledAt: at.toISOString() },
    ...(by === undefined ? {} : { by: toActor(by) }),
    line: {
      type: 'SYSTEM',
      message: `Run cancelled: ${describeEnd(cause, by && displayName(by))}`,
      metadata: cause,
    },
  });
}

/**
 * Removes a run with everything that belongs to it, in the caller's transaction. `leave` runs while the run is locked,
 * and stores what has to remain of it.
 * @returns what `leave` answers. Null: the run stays, because `leave` says so, it is gone, or somebody is changing it.
 */
export async function removeRun<T>(trx: Db, id: string, leave: () => Promise<T | null>): Promise<T | null> {
  if (!(await lockIdleRun(trx, id))) return null;
  const left = await leave();
  if (left !== null) await deleteRun(trx, id);
  return left;
}

/**
 * Cancels a run that is in flight, and its unsettled results. Queued jobs then find nothing to do, and a job that is
 * working on a page stops at its next step (docs/rules.md, Runs).
 * @throws AppError conflict when the run is over.
 */
export async function cancelRun(ctx: Pick<Context, 'db' | 'clock'>, { id, suite }: RunFor<'suite.run'>): Promise<Run> {
  const cancelled = await inTransaction(ctx.db, (trx) =>
    cancelInFlight(trx, ctx, id, { reason: 'cancelled by a user' }, suite.viewer),
  );
  if (!cancelled) throw conflict('The run has already finished', 'run_finished');
  const run = await findRun(ctx.db, id);
  if (run === null) throw notFound('Run');
  return run;
}
