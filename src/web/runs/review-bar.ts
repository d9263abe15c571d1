import { formatCount } from '../../text/format.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import type { Run } from '../../runs/run.ts';
import { isDecidable } from '../../runs/run.ts';
import { NOTE_MAX_LENGTH } from '../../baselines/baseline.ts';
import type { Field } from '../form-field.ts';
import { buildField } from '../form-field.ts';
import type { Can } from '../permissions.ts';
import type { Problem } from '../problem.ts';

/** The state of the review of a run, and the form to approve it. */
export type ReviewBar = {
  /** How many results would be approved by approving all. */
  unapproved: number;
  /** What an approval causes. */
  effect: string;
  /** The URL of the first review. Null if the list is empty. */
  first: string | null;
  /** Null for those who may not approve. */
  form: { action: string; note: Field; /** What would be approved. */ what: string } | null;
  /** The form to undo approvals. Null if there is nothing to undo. */
  undo: { label: string; question: string; button: string; action: string; small: boolean } | null;
};

const EFFECTS: Record<Run['runType'], string> = {
  MANUAL: 'Approved screenshots become baselines immediately.',
  BRANCH: 'Approved screenshots become baselines immediately.',
  PR: 'Approved screenshots become baselines when the pull request is merged.',
};

const NO_EFFECT =
  'Approved screenshots do not become baselines. Approvals go along to the pull request below, if there is one.';

/** Null if there is nothing to decide, or the run can't be decided. */
export function reviewBar(
  { run, unapproved, undoable }: RunOverview,
  { can, problem, first }: { can: Can; problem: Problem | null; first: string | null },
): ReviewBar | null {
  if (!isDecidable(run.status)) return null;
  const canUndo = can.approve && undoable > 0;
  if (unapproved === 0 && !canUndo) return null;
  const results = formatCount(undoable, 'approval');
  return {
    unapproved,
    effect: run.isGated ? EFFECTS[run.runType] : NO_EFFECT,
    first: unapproved > 0 ? first : null,
    form:
      can.approve && unapproved > 0
        ? {
            action: `/runs/${run.id}/approve`,
            what: `${formatCount(unapproved, 'unapproved result')} in this run`,
            note: buildField(
              {
                name: 'note',
                label: 'Note',
                attributes: {
                  maxlength: NOTE_MAX_LENGTH,
                  autocomplete: 'off',
                  placeholder: 'Add a note (optional)',
                },
              },
              problem,
            ),
          }
        : null,
    undo: canUndo
      ? {
          label: 'Undo approvals',
          question: `Undo ${results} in this run? The results will need a review again.`,
          button: `Undo ${results}`,
          action: `/runs/${run.id}/undo`,
          small: true,
        }
      : null,
  };
}
