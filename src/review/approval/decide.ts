import type { MeasureContext } from '../../baselines/measure-promotions.ts';
import { assertNever } from '../../errors.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { formatCount } from '../../text/format.ts';
import type { Seen } from '../verdicts/seen.ts';
import type { Decision } from '../verdicts/verdict.ts';
import type { Approved } from './approve-run.ts';
import { approveRun } from './approve-run.ts';
import { requestChanges } from './request-changes.ts';
import { undoApproval } from './undo-approval.ts';

/** What a person decides about a run, or about some of its results. */
export type DecisionInput = {
  decision: Decision;
  resultIds?: string[] | undefined;
  /** Of approvals: see `Approval`. */
  shown?: readonly string[] | undefined;
  note?: string | null | undefined;
  seen?: Seen;
  /** What of the settings they were shown, see `Approval`. */
  settings?: string | undefined;
};

/** Null: nothing. */
export function describeApproved({ approved, settings }: Approved): string | null {
  const what = [
    ...(settings === true ? ['the settings'] : []),
    ...(approved > 0 ? [formatCount(approved, 'result')] : []),
  ];
  return what.length === 0 ? null : `Approved ${what.join(' and ')}`;
}

const withVersions = (text: string, versions: number) =>
  versions === 0 ? text : `${text} and added ${formatCount(versions, 'baseline version')}`;

/** For whoever approved all that they were shown. */
export const describeNotShown = (results: number): string =>
  `${formatCount(results, 'result')} left out: a change has variants there that were not shown`;

function describeApproval(done: Approved): string {
  const approved = describeApproved(done);
  const parts = [
    ...(approved === null ? [] : [withVersions(approved, done.appended)]),
    ...(done.notShown > 0 ? [describeNotShown(done.notShown)] : []),
  ];
  return parts.length === 0 ? 'Nothing left to approve' : parts.join('. ');
}

function describeUndo({ undone, withdrawn, restored }: Awaited<ReturnType<typeof undoApproval>>): string {
  const parts = [
    ...(withdrawn > 0 ? [`Withdrew ${formatCount(withdrawn, 'request')} for changes`] : []),
    ...(undone > 0 ? [withVersions(`Undid ${formatCount(undone, 'approval')}`, restored)] : []),
  ];
  return parts.length === 0 ? 'No approvals to undo' : parts.join('. ');
}

/** @returns a sentence about what it came to. */
export async function decide(
  ctx: MeasureContext,
  run: RunFor<'suite.approve'>,
  { decision, note, ...about }: DecisionInput,
): Promise<string> {
  switch (decision) {
    case 'approve':
      return describeApproval(await approveRun(ctx, run, { ...about, note: note ?? undefined }));
    case 'request_changes': {
      const { requested } = await requestChanges(ctx, run, { resultIds: about.resultIds, seen: about.seen, note });
      const what = about.resultIds === undefined ? 'this run' : formatCount(requested, 'result');
      return `Requested changes to ${what}`;
    }
    case 'undo':
      return describeUndo(await undoApproval(ctx, run, about));
    default:
      return assertNever(decision);
  }
}
