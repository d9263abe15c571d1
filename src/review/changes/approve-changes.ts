import { inMeasuredTransaction } from '../../baselines/measure-promotions.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { lockRun } from '../../runs/run-store.ts';
import { approveInTransaction } from '../approval/approve-run.ts';
import { assertReviewable } from '../approval/reviewable.ts';
import { findDecidedResultIds, findKnownKeys, markChangesApproved } from './change-group-store.ts';

export type ApprovedChanges = {
  /** How many changes of results were approved, and how many results with the last of theirs. */
  changes: number;
  approved: number;
  /** Baseline versions added. */
  appended: number;
};

/**
 * Approves groups of changes wherever they occur in a finished run. A result is approved with the last of its changes.
 * @throws AppError not_found when the run has no such change; conflict when it is in flight, cancelled or superseded.
 */
export async function approveChanges(
  ctx: Pick<Context, 'db' | 'storage' | 'log'>,
  run: RunFor<'suite.approve'>,
  { keys, note }: { keys: string[]; note?: string | undefined },
): Promise<ApprovedChanges> {
  return inMeasuredTransaction(ctx, async (trx, measurements) => {
    const locked = await lockRun(trx, run.id);
    if (locked === null) throw notFound('Run');
    assertReviewable(locked);
    const known = await findKnownKeys(trx, run.id, keys);
    if (keys.some((key) => !known.has(key))) throw notFound('Change');
    const changes = await markChangesApproved(trx, run.id, keys, run.suite.viewer.id);
    const resultIds = await findDecidedResultIds(trx, run.id, keys);
    const approved =
      resultIds.length === 0
        ? { approved: 0, appended: 0 }
        : await approveInTransaction(trx, run, { resultIds, note }, measurements);
    return { changes, ...approved };
  });
}
