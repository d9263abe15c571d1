import { toActor } from '../../auth/user.ts';
import { NOTE_MAX_LENGTH } from '../../baselines/baseline.ts';
import { inMeasuredTransaction, type MeasureContext } from '../../baselines/measure-promotions.ts';
import { conflict, invalid } from '../../errors.ts';
import { recordEvent } from '../../events/record-event.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { aboutRun, namePages } from '../../runs/run-name.ts';
import { isInBase } from '../../runs/run.ts';
import { tooLong } from '../../text/trimmed-text.ts';
import { assertNotOverruling, type Seen } from '../verdicts/seen.ts';
import { holdGate, unapproveSettings } from './review-gate.ts';
import { findChosenResults, lockHoldable } from './reviewable.ts';
import { mayUnapprove, undoApprovals } from './undo-approval.ts';

export type RequestForChanges = {
  /** Without ids, of the run itself. */
  resultIds?: string[] | undefined;
  note: string | null | undefined;
  seen?: Seen;
  /** It is about the settings. */
  settings?: boolean;
};

function requireNote(note: string | null | undefined): string {
  const text = (note ?? '').trim();
  if (text === '') throw invalid('Say what has to change', [{ path: 'note', message: 'must say what has to change' }]);
  if (text.length > NOTE_MAX_LENGTH)
    throw invalid('The note is too long', [{ path: 'note', message: tooLong(NOTE_MAX_LENGTH) }]);
  return text;
}

/**
 * Requests changes to a finished run, or to some of its results. The gate stays closed until the same person approves
 * them or withdraws the request, or a run of another head replaces this one. Approvals of the same person are undone.
 * @throws AppError invalid without a note, and for results of another run; conflict when the run is in flight,
 * cancelled, superseded or captured again since, or its pull request is merged.
 */
export async function requestChanges(
  ctx: MeasureContext,
  { id, suite }: RunFor<'suite.approve'>,
  { resultIds, note, seen, settings = false }: RequestForChanges,
): Promise<{ requested: number }> {
  const words = requireNote(note);
  return inMeasuredTransaction(ctx, async (trx, measurements) => {
    const run = await lockHoldable(trx, id);
    if (isInBase(run)) throw conflict('The pull request is merged, so changes can no longer be requested', 'merged');
    const { viewer } = suite;
    const chosen = resultIds === undefined ? null : await findChosenResults(trx, run, resultIds);
    const about = (chosen ?? []).map((result) => result.id);
    await assertNotOverruling(trx, run, {
      seen,
      viewerId: viewer.id,
      decision: 'request_changes',
      resultIds: about,
      settings,
    });
    const approved = (chosen ?? []).filter((result) => result.approved && result.approvedById === viewer.id);
    await undoApprovals(trx, run, suite, measurements, { approved, isNamed: true });
    if (settings && run.settingsApprovedById === viewer.id && mayUnapprove(run))
      await unapproveSettings(trx, run, viewer);
    await holdGate(trx, run, chosen, { viewer, note: words });
    const details = { results: chosen?.length ?? null, pages: namePages(chosen ?? []), note: words, settings };
    await recordEvent(trx, toActor(viewer), { kind: 'review.changes_requested', ...aboutRun(run, details) });
    return { requested: chosen?.length ?? 1 };
  });
}
