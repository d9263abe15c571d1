import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import { isApprovable } from '../../review/approval/approvable.ts';
import type { ReviewResult } from '../../review/list/read-review-result.ts';
import type { PageResult } from '../../runs/results/result.ts';
import type { ChangeRequest } from '../../review/verdicts/verdict.ts';
import { isDecidable, isInBase, isInFlight } from '../../runs/run.ts';
import { listPermissions } from '../permissions.ts';
import { NOTE_MAX_LENGTH } from '../../baselines/baseline.ts';

/** What the viewer may decide about a result. The forms post to the run. */
export type ApprovalForms = {
  /** URLs of the forms. */
  approve: string;
  undo: string;
  request: string;
  /** What the page knows of other people's decisions. */
  seen: number;
  /** The page after an approval: the next result that is not approved. */
  next: string;
  here: string;
  /** The open result. Null if it can't be approved. */
  one: string | null;
  /**
   * The IDs of this page's results that can be approved, at all viewports, separated by commas. Null if there are none
   * besides the open one.
   */
  page: { ids: string; count: number } | null;
  /** How many results in the whole run can be approved. Null if there are none besides the open one. */
  all: number | null;
  /** The maximum length, in characters. */
  noteLength: number;
  mayUndo: boolean;
  /** The viewer asks for changes of this result, and can take that back. */
  mayWithdraw: boolean;
  /** Changes can be requested. */
  mayRequest: boolean;
  /** Address of the form that sets a screenshot that passed as the baseline. Null when that would change nothing. */
  promote: string | null;
  /** Why the result can't be approved yet. Null in all other cases. */
  wait: string | null;
};

/** It passed because few pixels differ. It needs no approval, but people may want its screenshot as the baseline. */
function isPromotable(result: PageResult): boolean {
  const differs = result.status === 'PASS' && result.diffScore !== null && result.diffScore > 0;
  return differs && !result.approved && result.currentFile !== null;
}

/** Null if the viewer may not approve. */
export function approvalForms(
  { run, suite, unapproved }: RunOverview,
  { result, ofSamePage }: Pick<ReviewResult, 'result' | 'ofSamePage'>,
  { next, here, canUndo, requests }: { next: string; here: string; canUndo: boolean; requests: ChangeRequest[] },
): ApprovalForms | null {
  if (!listPermissions(suite.access).approve) return null;
  const mayNow = isDecidable(run.status);
  const one = isApprovable(run, result);
  const isMine = requests.some(({ resultId, author }) => resultId === result.id && author.id === suite.viewer.id);
  const ids = ofSamePage.filter((row) => isApprovable(run, row)).map((row) => row.id);
  return {
    approve: `/runs/${run.id}/approve`,
    undo: `/runs/${run.id}/undo`,
    request: `/runs/${run.id}/request-changes`,
    seen: run.verdictNumber,
    next,
    here,
    one: mayNow && one ? result.id : null,
    page: mayNow && ids.length > (one ? 1 : 0) ? { ids: ids.join(','), count: ids.length } : null,
    all: mayNow && unapproved > (one ? 1 : 0) ? unapproved : null,
    noteLength: NOTE_MAX_LENGTH,
    mayUndo: mayNow && result.approved && canUndo,
    mayWithdraw: mayNow && isMine,
    mayRequest: mayNow && !isMine && !isInBase(run) && result.currentFile !== null,
    promote: mayNow && isPromotable(result) ? `/runs/${run.id}/results/${result.id}/promote` : null,
    wait: !mayNow && one && isInFlight(run.status) ? 'You can approve this when the run finishes' : null,
  };
}
