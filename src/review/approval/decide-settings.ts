import type { MeasureContext } from '../../baselines/measure-promotions.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { assertNever, conflict } from '../../errors.ts';
import type { RunFor } from '../../runs/read-run.ts';
import type { Run } from '../../runs/run.ts';
import { settingsReview } from '../../runs/settings-change/settings-change.ts';
import { deleteChangeRequests } from '../verdicts/change-request-store.ts';
import { assertNotOverruling, type Seen } from '../verdicts/seen.ts';
import type { Decision } from '../verdicts/verdict.ts';
import { takeRequestsBack } from './approve-run.ts';
import { requestChanges } from './request-changes.ts';
import { approveSettings, recordApproval, recordUndo, releaseGate, unapproveSettings } from './review-gate.ts';
import { assertReviewable, assertShown, lockReviewable, lockUndoable } from './reviewable.ts';
import { mayUnapprove } from './undo-approval.ts';

/** What a person decides about what a pull request changes in the settings of its suite. */
export type SettingsDecision = {
  decision: Decision;
  note?: string | null | undefined;
  seen?: Seen;
  /** The hash of what the person was shown. Undefined: what the pull request loosens now. */
  settings?: string | undefined;
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

async function undo(ctx: Ctx, { id, suite }: RunFor<'suite.approve'>, { seen }: SettingsDecision) {
  const { viewer } = suite;
  return inTransaction(ctx.db, async (trx) => {
    const run = await lockUndoable(trx, id);
    requireLoosening(run);
    const about = { seen, viewerId: viewer.id, decision: 'undo' as const, resultIds: [], settings: true };
    await assertNotOverruling(trx, run, about);
    const withdrawn = await deleteChangeRequests(trx, id, { authorId: viewer.id, of: 'run' });
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
