import { promotesAtOnce, type Run } from '../../runs/run.ts';
import { formatCount, formatNumber } from '../../text/format.ts';
import type { ApprovedChanges } from '../changes/approve-changes.ts';
import type { Approved } from './approve-run.ts';
import type { Undone } from './undo-approval.ts';

/** The outcome of a decision, in sentences. `isDone`: it changed something. `isFinal`: which can't be undone. */
export type Said = { message: string; isDone: boolean; isFinal?: boolean };

type Kind = Pick<Run, 'runType' | 'isGated' | 'isMerged'>;

const screenshots = (count: number) => formatCount(count, 'screenshot');

/** What happens to baselines. */
export function describeEffect(run: Kind): string {
  if (promotesAtOnce(run)) return 'Approved screenshots become baselines immediately.';
  return run.isGated
    ? 'Approved screenshots become baselines when the pull request is merged.'
    : 'Approved screenshots do not become baselines. The approvals carry over to the pull request this one is based on, if any.';
}

function describeBaselines(
  run: Kind,
  { approved, appended, version }: Pick<Approved, 'approved' | 'appended' | 'version'>,
): string[] {
  if (approved === 0) return [];
  if (appended === 1 && version !== null) return [`The baseline is now version ${version}.`];
  if (appended > 1) return [`${formatNumber(appended)} baselines have a new version.`];
  if (run.runType !== 'PR' || !run.isGated) return [];
  const when = run.isMerged ? 'now: the pull request is merged' : 'when the pull request is merged';
  return [`${approved === 1 ? 'It becomes the baseline' : 'They become baselines'} ${when}.`];
}

/** What was left out of an approval of several results. */
export const describeHeld = (held: number): string =>
  `${screenshots(held)} ${held === 1 ? 'stays' : 'stay'} out: changes were requested.`;

/** Null: nothing. */
function describeApproved({ approved, settings }: Approved): string | null {
  const what = [...(settings === true ? ['the settings'] : []), ...(approved > 0 ? [screenshots(approved)] : [])];
  return what.length === 0 ? null : `Approved ${what.join(' and ')}`;
}

/** A sentence for each reason. */
export const describeLeftOut = ({ held, notShown = 0 }: { held: number; notShown?: number }): string[] => [
  ...(held > 0 ? [describeHeld(held)] : []),
  ...(notShown > 0 ? [`${screenshots(notShown)} left out: a change was not shown as it looks there.`] : []),
];

const NOTHING_LEFT = 'Nothing was left to approve.';

export function sayApproved(run: Kind, done: Approved): Said {
  const approved = describeApproved(done);
  const first = approved === null ? NOTHING_LEFT : `${approved}.`;
  return {
    message: [first, ...describeBaselines(run, done), ...describeLeftOut(done)].join(' '),
    isDone: approved !== null,
    isFinal: done.isFirst,
  };
}

/** @param groups how many changes the person approved. */
export function sayApprovedChanges(run: Kind, done: ApprovedChanges, groups: number): Said {
  const { changes, approved, waiting, alone, shown, isFirst: isFinal } = done;
  const much =
    groups === 0 ? screenshots(approved) : `${formatCount(groups, 'change')} (${screenshots(shown + alone)})`;
  const isDone = changes + approved > 0;
  const message = [
    isDone ? `Approved ${much}.` : NOTHING_LEFT,
    ...describeBaselines(run, done),
    ...(isDone && waiting > 0
      ? [`${screenshots(waiting)} ${waiting === 1 ? 'has' : 'have'} other changes to decide.`]
      : []),
    ...describeLeftOut(done),
  ].join(' ');
  return { message, isDone, isFinal };
}

export function sayUndone({ undone, withdrawn, restored }: Undone): Said {
  const parts = [
    ...(withdrawn > 0 ? [`Withdrew ${formatCount(withdrawn, 'request')} for changes.`] : []),
    ...(undone > 0 ? [`Undid ${formatCount(undone, 'approval')}.`] : []),
    ...(restored > 0 ? [`Restored ${formatCount(restored, 'baseline')}.`] : []),
  ];
  return parts.length === 0
    ? { message: 'Nothing was left to undo.', isDone: false }
    : { message: parts.join(' '), isDone: true };
}
