import { formatCount } from '../../text/format.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import type { Run } from '../../runs/run.ts';
import type { ReviewProgress } from './review-progress.ts';
import type { ChangeRequest } from '../../review/verdicts/verdict.ts';
import { mayUnapprove } from '../../review/approval/undo-approval.ts';
import { settingsReview } from '../../runs/settings-change/settings-change.ts';
import { isDecidable, isInBase } from '../../runs/run.ts';
import { NOTE_MAX_LENGTH } from '../../baselines/baseline.ts';
import type { Field } from '../form-field.ts';
import { buildField } from '../form-field.ts';
import type { Can } from '../permissions.ts';
import type { Problem } from '../problem.ts';

type Confirmation = {
  label: string;
  question: string;
  button: string;
  action: string;
  small: boolean;
  fields: { name: string; value: string | number }[];
};

/** The state of the review of a run, and the form to approve it. */
export type ReviewBar = {
  /** Somebody asks for changes. */
  isHeld: boolean;
  /** How many results would be approved by approving all. */
  unapproved: number;
  /** Of those, how many nobody has decided about, and how many have changes requested. */
  toReview: number;
  held: number;
  progress: ReviewProgress | null;
  /** What the page knows of other people's decisions. */
  seen: number;
  /** The ids of the variants that the page shows. */
  shown: string;
  /** What an approval causes. */
  effect: string;
  /** The URL of the first review. Null if the list is empty. */
  first: string | null;
  /** Nothing but the settings waits for an approval. */
  onlySettings: boolean;
  /** Null for those who may not approve. */
  form: {
    action: string;
    note: Field;
    /** What would be approved. */
    what: string;
    /** Some changes come in several variants. */
    isVaried: boolean;
    settings: string;
  } | null;
  /** The form to undo approvals. Null if there is nothing to undo. */
  undo: Confirmation | null;
  /** The form to take back one's own request for changes of the run. Null if there is none. */
  withdraw: { action: string } | null;
  /** The form to request changes of the run. Null for those who may not, and if the viewer did already. */
  request: { action: string; noteLength: number } | null;
};

const EFFECTS: Record<Run['runType'], string> = {
  MANUAL: 'Approved screenshots become baselines immediately.',
  BRANCH: 'Approved screenshots become baselines immediately.',
  PR: 'Approved screenshots become baselines when the pull request is merged.',
};

const NO_EFFECT =
  'Approved screenshots do not become baselines. The approvals carry over to the pull request this one is based on, if any.';

/** Null if there is nothing to decide, or the run can't be decided. */
export function reviewBar(
  { run, suite, unapproved, undoable, total }: RunOverview,
  {
    can,
    problem,
    first,
    requests,
    progress,
    shown,
  }: {
    can: Can;
    problem: Problem | null;
    first: string | null;
    requests: ChangeRequest[];
    progress: ReviewProgress | null;
    shown: string[];
  },
): ReviewBar | null {
  if (!isDecidable(run.status)) return null;
  const canUndo = can.approve && undoable > 0;
  const mayRequest = can.approve && total > 0 && !isInBase(run);
  const isMine = requests.some(({ resultId, author }) => resultId === null && author.id === suite.viewer.id);
  if (unapproved === 0 && !canUndo && !isMine && run.reviewState === 'NOT_REQUIRED') return null;
  const waits = settingsReview(run) === 'PENDING';
  const results = formatCount(undoable + (mayUnapprove(run) ? 1 : 0), 'approval');
  const toReview = Math.min(unapproved, progress?.left ?? unapproved);
  return {
    isHeld: run.changeRequests > 0,
    onlySettings: waits && toReview === 0,
    unapproved,
    toReview,
    held: unapproved - toReview,
    progress,
    seen: run.verdictNumber,
    shown: shown.join(' '),
    effect: run.isGated ? EFFECTS[run.runType] : NO_EFFECT,
    first: unapproved > 0 ? first : null,
    form:
      can.approve && unapproved > 0
        ? {
            action: `/runs/${run.id}/approve`,
            what: `${waits ? 'the settings above and ' : ''}${formatCount(unapproved, 'unapproved result')} in this run`,
            isVaried: shown.length > 0,
            settings: run.settingsHash ?? '',
            note: buildField(
              {
                name: 'note',
                label: 'Note',
                attributes: {
                  maxlength: NOTE_MAX_LENGTH,
                  autocomplete: 'off',
                  placeholder: 'Note (optional)',
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
          fields: [{ name: 'seen', value: run.verdictNumber }],
        }
      : null,
    withdraw: can.approve && isMine ? { action: `/runs/${run.id}/undo` } : null,
    request: mayRequest && !isMine ? { action: `/runs/${run.id}/request-changes`, noteLength: NOTE_MAX_LENGTH } : null,
  };
}
