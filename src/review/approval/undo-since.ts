import { inMeasuredTransaction, type MeasureContext } from '../../baselines/measure-promotions.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { markChangesUnapproved } from '../changes/change-group-store.ts';
import { deleteChangeRequests } from '../verdicts/change-request-store.ts';
import { findOwnSince, insertVerdict } from '../verdicts/verdict-store.ts';
import { recordUndo } from './record-review.ts';
import { releaseGate, unapproveSettings } from './review-gate.ts';
import { findChosenResults, lockReviewable } from './reviewable.ts';
import { mayUnapprove, undoApprovals, type Undone } from './undo-approval.ts';

/**
 * Takes back what the viewer decided after verdict number `seen`, but no earlier decisions and none of other people:
 * approvals of changes, results and settings, and requests for changes.
 * @throws AppError conflict when the run is in flight, cancelled or superseded, and conflict `promoted` when it is too
 * late.
 */
export async function undoSince(
  ctx: MeasureContext,
  { id, suite }: RunFor<'suite.approve'>,
  seen: number,
): Promise<Undone> {
  return inMeasuredTransaction(ctx, async (trx, measurements) => {
    const run = await lockReviewable(trx, id);
    const { viewer } = suite;
    const authorId = viewer.id;
    const { since, resultIds, wholeRun, settings } = await findOwnSince(trx, id, { seen, viewerId: authorId });
    if (since === null) return { undone: 0, withdrawn: 0, restored: 0 };
    const withdrawn = [
      ...(await deleteChangeRequests(trx, id, { authorId, of: resultIds })),
      ...(wholeRun ? await deleteChangeRequests(trx, id, { authorId, of: 'run' }) : []),
    ];
    const from = new Date(since);
    const own = { at: since, by: authorId };
    const chosen = resultIds.length === 0 ? [] : await findChosenResults(trx, run, resultIds);
    const approved = chosen.filter((result) => result.approvedById === authorId && (result.approvedAt ?? 0) >= from);
    const { undone, restored } = await undoApprovals(trx, run, suite, measurements, { approved, isNamed: true, own });
    const changes = await markChangesUnapproved(trx, resultIds, own);
    if (changes > 0) await insertVerdict(trx, id, { decision: 'undo', note: null, authorId, resultIds });
    const isOfSettings = settings && mayUnapprove(run) && run.settingsApprovedById === authorId;
    if (isOfSettings) await unapproveSettings(trx, run, viewer);
    if (withdrawn.length > 0) await releaseGate(trx, run, withdrawn, { viewer, decision: 'undo' });
    const ofOthers = (undone === 0 && changes > 0 ? 1 : 0) + (isOfSettings ? 1 : 0);
    const all = {
      undone: undone + ofOthers,
      withdrawn: withdrawn.length,
      restored,
    };
    await recordUndo(trx, run, viewer, all);
    return all;
  });
}
