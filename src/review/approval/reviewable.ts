import type { Db } from '../../db/database.ts';
import { conflict, invalid, notFound } from '../../errors.ts';
import { findResults } from '../../runs/results/result-store.ts';
import type { PageResult } from '../../runs/results/result.ts';
import { lockRun } from '../../runs/run-store.ts';
import { isDecidable, isInFlight, type Run } from '../../runs/run.ts';
import { hasLaterAttempt } from '../verdicts/change-request-store.ts';
import { lockSameApproval } from './approval-store.ts';

export const OF_ANOTHER_RUN = 'Some results do not belong to this run';

/** @throws AppError conflict when the run is in flight, was cancelled or is superseded. */
export function assertReviewable(run: Run): void {
  if (isInFlight(run.status)) throw conflict('The run is still in progress', 'run_in_flight');
  if (!isDecidable(run.status)) {
    const code = run.metadata?.reason === 'superseded' ? 'run_superseded' : 'run_cancelled';
    throw conflict('The run was cancelled, so its results cannot be approved', code);
  }
}

/** The run, locked for a decision about it. @throws AppError not_found; conflict as `assertReviewable` */
export async function lockReviewable(trx: Db, id: string): Promise<Run> {
  const run = await lockRun(trx, id);
  if (run === null) throw notFound('Run');
  assertReviewable(run);
  return run;
}

/** The same for an undo, which also changes the runs that share the approval of their settings. */
export async function lockUndoable(trx: Db, id: string): Promise<Run> {
  await lockSameApproval(trx, id);
  return lockReviewable(trx, id);
}

/**
 * The same for a decision that is to hold the gate, which the last attempt at the head decides.
 * @throws AppError also conflict when a later attempt has ended.
 */
export async function lockHoldable(trx: Db, id: string): Promise<Run> {
  const run = await lockReviewable(trx, id);
  if (!(await hasLaterAttempt(trx, id))) return run;
  throw conflict('The commit was captured again since. Decide about the newer run.', 'run_superseded');
}

/**
 * Nobody approves settings that they were not shown. @param shown the hash of the settings that were shown. Undefined:
 * the current ones.
 * @throws AppError conflict when the pull request loosens something else by now: its base moved.
 */
export function assertShown({ settingsHash }: Pick<Run, 'settingsHash'>, shown: string | undefined): void {
  if (shown === undefined || shown === settingsHash) return;
  throw conflict('The settings have changed in the meantime. Look at them again.', 'settings_changed');
}

/**
 * The named results of the run, or all of them.
 * @throws AppError invalid when a named result is of another run.
 */
export async function findChosenResults(trx: Db, run: Run, resultIds: string[] | undefined): Promise<PageResult[]> {
  const results = await findResults(trx, run.id, resultIds);
  const known = new Set(results.map((result) => result.id));
  const unknown = [...new Set(resultIds)].filter((id) => !known.has(id));
  if (unknown.length > 0) {
    const issues = unknown.map((id) => ({ path: 'resultIds', message: `${id} is not a result of this run` }));
    throw invalid(OF_ANOTHER_RUN, issues);
  }
  return results;
}
