import { NOTE_MAX_LENGTH } from '../../baselines/baseline.ts';
import type { Context } from '../../context.ts';
import { describeEffect, describeHeld } from '../../review/approval/describe-decision.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import { readReviewSpan } from '../../review/verdicts/read-verdicts.ts';
import { isDecidable, isInBase } from '../../runs/run.ts';
import { settingsReview } from '../../runs/settings-change/settings-change.ts';
import { formatCount } from '../../text/format.ts';
import type { Can } from '../permissions.ts';

type ReviewProgress = NonNullable<Awaited<ReturnType<typeof readReviewProgress>>>;

/** Null if there is nothing to decide, or not yet. */
export async function readReviewProgress(
  ctx: Pick<Context, 'db' | 'clock'>,
  { run, toDecide: total, undecided: left }: RunOverview,
) {
  if (!isDecidable(run.status) || total === 0) return null;
  const span = await readReviewSpan(ctx, run);
  const end = left === 0 ? span?.endedAt : ctx.clock.now();
  const seconds = span === null || end === undefined ? null : (end.getTime() - span.startedAt.getTime()) / 1000;
  return { decided: total - left, total, left, seconds: seconds === null ? null : Math.max(0, seconds) };
}

function describeState({ run, toDecide, undecided }: RunOverview, changes: number, others: number): string {
  const left = [
    ...(changes > 0 ? [formatCount(changes, 'change')] : []),
    ...(others > 0 ? [formatCount(others, changes > 0 ? 'other screenshot' : 'screenshot')] : []),
  ];
  if (undecided > 0) return `${left.join(' and ')} to review`;
  if (run.changeRequests > 0) return 'Changes are requested';
  if (settingsReview(run) === 'PENDING') return 'The settings above need an approval';
  return toDecide > 0 ? 'Everything is approved' : 'Nothing to review';
}

/**
 * Null if there is nothing to decide, or the run can't be decided.
 * @param isMine whether the viewer asked for changes of the run
 * @param changes how many changes are undecided, and `others`: how many results without a known one
 */
export function runBar(
  overview: RunOverview,
  about: { can: Can; isMine: boolean; progress: ReviewProgress | null; changes: number; others: number },
) {
  const { can, isMine, progress, changes, others } = about;
  const { run, unapproved, undecided, undoable, total } = overview;
  if (!isDecidable(run.status)) return null;
  if (unapproved === 0 && undoable === 0 && !isMine && run.reviewState === 'NOT_REQUIRED') return null;
  const held = unapproved - undecided;
  const noteLength = NOTE_MAX_LENGTH;
  return {
    state: describeState(overview, changes, others),
    held: held > 0 ? describeHeld(held) : null,
    effect: describeEffect(run),
    progress,
    seen: run.verdictNumber,
    review:
      undecided > 0
        ? {
            href: `/runs/${run.id}/review?results=only`,
            label: `Review ${changes === 0 ? formatCount(others, 'screenshot') : formatCount(changes, 'change')}`,
          }
        : null,
    approve: can.approve && undecided > 0 ? { action: `/runs/${run.id}/approve`, noteLength } : null,
    request:
      can.approve && total > 0 && !isInBase(run) && !isMine
        ? { action: `/runs/${run.id}/request-changes`, noteLength }
        : null,
    withdraw: can.approve && isMine ? { action: `/runs/${run.id}/undo` } : null,
  };
}
