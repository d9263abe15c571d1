import type { MeasureContext } from '../../baselines/measure-promotions.ts';
import { assertNever } from '../../errors.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { formatCount } from '../../text/format.ts';
import type { Seen } from '../verdicts/seen.ts';
import type { Decision } from '../verdicts/verdict.ts';
import { approveRun } from './approve-run.ts';
import { sayApproved, sayUndone, type Said } from './describe-decision.ts';
import { requestChanges } from './request-changes.ts';
import { undoApproval } from './undo-approval.ts';

/** What a person decides about a run, or about some of its results. */
export type DecisionInput = {
  decision: Decision;
  resultIds?: string[] | undefined;
  note?: string | null | undefined;
  seen?: Seen;
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
