import type { MeasureContext } from '../../baselines/measure-promotions.ts';
import { inMeasuredTransaction } from '../../baselines/measure-promotions.ts';
import { notFound } from '../../errors.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { lockRun } from '../../runs/run-store.ts';
import { approveInTransaction } from '../approval/approve-run.ts';
import { assertReviewable } from '../approval/reviewable.ts';
import { findResultsHeldByOthers } from '../verdicts/change-request-store.ts';
import type { Seen } from '../verdicts/seen.ts';
import { assertNotOverruling } from '../verdicts/seen.ts';
import { insertVerdict } from '../verdicts/verdict-store.ts';
import { findDecidedResultIds, findKnownKeys, findResultsWith, markChangesApproved } from './change-group-store.ts';

export type ApprovedChanges = {
  /** How many changes of results were approved, and how many results with the last of theirs. */
  changes: number;
  approved: number;
  /** Baseline versions added. */
  appended: number;
};

/**
 * Approves groups of changes wherever they occur in a finished run. A result is approved when all of its changes are,
 * unless somebody else asks for changes of it.
 * @throws AppError not_found when the run has no such change; conflict when it is in flight, cancelled or superseded.
 */
export async function approveChanges(
  ctx: MeasureContext,
  run: RunFor<'suite.approve'>,
  { keys, note, seen }: { keys: string[]; note?: string | undefined; seen?: Seen },
): Promise<ApprovedChanges> {
  return inMeasuredTransaction(ctx, async (trx, measurements) => {
    const locked = await lockRun(trx, run.id);
    if (locked === null) throw notFound('Run');
    assertReviewable(locked);
    const known = await findKnownKeys(trx, run.id, keys);
    if (keys.some((key) => !known.has(key))) throw notFound('Change');
    const { viewer } = run.suite;
    const having = await findResultsWith(trx, run.id, keys);
    await assertNotOverruling(trx, locked, { seen, viewerId: viewer.id, decision: 'approve', resultIds: having });
    const changes = await markChangesApproved(trx, run.id, keys, viewer.id);
    const held = await findResultsHeldByOthers(trx, run.id, viewer.id);
    const resultIds = (await findDecidedResultIds(trx, run.id, keys)).filter((id) => !held.has(id));
    await insertVerdict(trx, run.id, {
      decision: 'approve',
      note: note ?? null,
      authorId: viewer.id,
      resultIds: having,
    });
    const approved =
      resultIds.length === 0
        ? { approved: 0, appended: 0 }
        : await approveInTransaction(trx, run, { resultIds, note }, measurements);
    return { changes, ...approved };
  });
}
