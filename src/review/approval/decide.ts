import type { MeasureContext } from '../../baselines/measure-promotions.ts';
import { assertNever } from '../../errors.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { formatCount } from '../../text/format.ts';
import type { Seen } from '../verdicts/seen.ts';
import type { Decision } from '../verdicts/verdict.ts';
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
};

const withVersions = (text: string, versions: number) =>
  versions === 0 ? text : `${text} and added ${formatCount(versions, 'baseline version')}`;

/** For whoever approved all that they were shown. */
export const describeNotShown = (results: number): string =>
  `${formatCount(results, 'result')} left out: a change has variants there that were not shown`;

function describeApproval({ approved, appended, notShown }: Awaited<ReturnType<typeof approveRun>>): string {
  const done = withVersions(`Approved ${formatCount(approved, 'result')}`, appended);
  if (notShown === 0) return approved === 0 ? 'Nothing left to approve' : done;
  return `${done}. ${describeNotShown(notShown)}`;
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
      const { requested } = await requestChanges(ctx, run, { ...about, note });
      const what = about.resultIds === undefined ? 'this run' : formatCount(requested, 'result');
      return `Requested changes to ${what}`;
    }
    case 'undo':
      return describeUndo(await undoApproval(ctx, run, about));
    default:
      return assertNever(decision);
  }
}
