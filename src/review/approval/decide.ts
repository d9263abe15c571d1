import { displayName, toActor } from '../../auth/user.ts';
import { NOTE_MAX_LENGTH } from '../../baselines/baseline.ts';
import { inMeasuredTransaction, type MeasureContext } from '../../baselines/measure-promotions.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { assertNever, conflict, invalid, notFound } from '../../errors.ts';
import { recordEvent } from '../../events/record-event.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { findResult } from '../../runs/results/result-store.ts';
import { aboutRun, namePages } from '../../runs/run-name.ts';
import { isInBase, type Run } from '../../runs/run.ts';
import { settingsReview } from '../../runs/settings-change/settings-change.ts';
import { formatCount } from '../../text/format.ts';
import { tooLong } from '../../text/input-words.ts';
import { namePlace } from '../../text/readable-path.ts';
import { deleteChangeRequests } from '../verdicts/change-request-store.ts';
import { assertNotOverruling, type Seen } from '../verdicts/seen.ts';
import type { Decision } from '../verdicts/verdict.ts';
import {
  approveRun,
  assertReviewable,
  assertShown,
  findChosenResults,
  lockHoldable,
  lockReviewable,
  lockUndoable,
  takeRequestsBack,
} from './approve-run.ts';
import { markAsChange } from './counted-store.ts';
import { sayApproved, sayUndone, type Said } from './describe-decision.ts';
import {
  approveSettings,
  holdGate,
  recordApproval,
  recordUndo,
  releaseGate,
  settleGate,
  unapproveSettings,
} from './review-gate.ts';
import { mayUnapprove, undoApproval, undoApprovals, type Only } from './undo-approval.ts';

/** What a person decides about a run, or about some of its results. */
export type DecisionInput = {
  decision: Decision;
  resultIds?: string[] | undefined;
  note?: string | null | undefined;
  seen?: Seen;
  only?: Only;
};

export async function decide(
  ctx: MeasureContext,
  run: RunFor<'suite.approve'>,
  { decision, note, ...about }: DecisionInput,
): Promise<Said> {
  switch (decision) {
    case 'approve':
      return sayApproved(run, await approveRun(ctx, run, { ...about, note }));
    case 'request_changes': {
      const { requested } = await requestChanges(ctx, run, { resultIds: about.resultIds, seen: about.seen, note });
      const what = about.resultIds === undefined ? 'this run' : formatCount(requested, 'screenshot');
      return { message: `Requested changes to ${what}.`, isDone: true };
    }
    case 'undo':
      return sayUndone(await undoApproval(ctx, run, about));
    default:
      return assertNever(decision);
  }
}

/** What a person decides about what a pull request changes in the settings of its suite. */
export type SettingsDecision = {
  decision: Decision;
  note?: string | null | undefined;
  seen?: Seen;
  /** The hash of what the person was shown. Undefined: what the pull request loosens now. */
  settings?: string | undefined;
  only?: Only;
};

function requireLoosening(run: Run): void {
  if (settingsReview(run) === 'NOT_REQUIRED') throw conflict('There are no settings to approve', 'no_settings_change');
}

type Ctx = Pick<Context, 'db'>;

async function approve(
  ctx: Ctx,
  { id, suite }: RunFor<'suite.approve'>,
  { note, seen, settings: shown }: SettingsDecision,
) {
  const { viewer } = suite;
  return inTransaction(ctx.db, async (trx) => {
    const run = await lockReviewable(trx, id);
    requireLoosening(run);
    assertShown(run, shown);
    const about = { seen, viewerId: viewer.id, decision: 'approve' as const, resultIds: [], settings: true };
    await assertNotOverruling(trx, run, about);
    const isOpen = settingsReview(run) === 'PENDING';
    if (isOpen) await approveSettings(trx, run, { viewer, note: note ?? null });
    await takeRequestsBack(trx, run, { viewer, of: [] });
    await recordApproval(trx, run, viewer, { settings: isOpen, note });
    return isOpen ? 'Approved the settings' : 'The settings are already approved';
  });
}

async function undo(ctx: Ctx, { id, suite }: RunFor<'suite.approve'>, { seen, only }: SettingsDecision) {
  const { viewer } = suite;
  return inTransaction(ctx.db, async (trx) => {
    const run = await lockUndoable(trx, id);
    requireLoosening(run);
    const about = { seen, viewerId: viewer.id, decision: 'undo' as const, resultIds: [], settings: true };
    await assertNotOverruling(trx, run, about);
    const of = only === 'approvals' ? [] : ('run' as const);
    const withdrawn = await deleteChangeRequests(trx, id, { authorId: viewer.id, of });
    if (withdrawn.length > 0) {
      await releaseGate(trx, run, withdrawn, { viewer, decision: 'undo' });
      await recordUndo(trx, run, viewer, { undone: 0, withdrawn: withdrawn.length, restored: 0 });
      return 'Withdrew the request for changes';
    }
    if (settingsReview(run) === 'PENDING') return 'No approval to undo';
    if (!mayUnapprove(run)) throw conflict('The pull request is merged, so the approval cannot be undone', 'merged');
    await unapproveSettings(trx, run, viewer);
    await recordUndo(trx, run, viewer, { undone: 1, withdrawn: 0, restored: 0 });
    return 'Undid the approval of the settings';
  });
}

/**
 * Decides about the settings alone. Changes are requested of the run itself.
 * @returns a sentence about the outcome.
 * @throws AppError conflict when the pull request loosens nothing, or something else than what was shown; and as the
 * decisions about results do.
 */
export async function decideSettings(
  ctx: MeasureContext,
  run: RunFor<'suite.approve'>,
  input: SettingsDecision,
): Promise<string> {
  switch (input.decision) {
    case 'approve':
      return approve(ctx, run, input);
    case 'undo':
      return undo(ctx, run, input);
    case 'request_changes':
      assertReviewable(run);
      requireLoosening(run);
      await requestChanges(ctx, run, { note: input.note, seen: input.seen, settings: true });
      return 'Requested changes to the settings';
    default:
      return assertNever(input.decision);
  }
}

/**
 * Overrules the cause of a result that does not hold the gate: from now on it needs an approval, like any change. Does
 * nothing when it counts as a change already.
 * @throws AppError conflict when the run is in flight, cancelled, superseded or captured again since, or the result does
 * not differ.
 */
export async function countAsChange(
  ctx: Pick<Context, 'db'>,
  { id, suite }: RunFor<'suite.approve'>,
  resultId: string,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const run = await lockHoldable(trx, id);
    const result = await findResult(trx, resultId);
    if (result?.testRunId !== id) throw notFound('Result');
    if (result.status !== 'FAIL') throw conflict('The result does not differ from its baseline', 'no_change');
    if (!(await markAsChange(trx, resultId))) return;
    const { viewer } = suite;
    const message = `${namePlace(result)} counted as a change by ${displayName(viewer)}`;
    await settleGate(trx, run, viewer, message, { countedById: viewer.id, resultId }, [result]);
    const page = { path: result.path, viewport: result.viewport };
    await recordEvent(trx, toActor(viewer), { kind: 'review.counted', ...aboutRun(run, { page }) });
  });
}

type RequestForChanges = {
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
async function requestChanges(
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
