import { NOTE_MAX_LENGTH } from '../../baselines/baseline.ts';
import { isApprovable } from '../../review/approval/approvable.ts';
import { lookOf } from '../../review/approval/as-shown.ts';
import type { ReviewResult } from '../../review/list/list-for-review.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import type { ChangeRequest } from '../../review/verdicts/verdict.ts';
import type { PageResult } from '../../runs/results/result.ts';
import { isDecidable, isInBase, isInFlight } from '../../runs/run.ts';
import { formatCount, formatNumber } from '../../text/format.ts';
import { namePlace } from '../../text/readable-path.ts';
import { listPermissions } from '../permissions.ts';
import { toResultValue, toVariantValue } from './results/change-list.ts';
import type { ChangeWalk } from './results/change-walk.ts';

type Hidden = { name: string; value: string | number };

/** A form of the bar. `short`: for a phone. */
type Decide = { action: string; fields: Hidden[]; label: string; short: string };

/** It passed because few pixels differ. It needs no approval, but people may want its screenshot as the baseline. */
function isPromotable(result: PageResult): boolean {
  const differs = result.status === 'PASS' && result.diffScore !== null && result.diffScore > 0;
  return differs && !result.approved && result.currentFile !== null;
}

/** The shown undecided variants, for the text of the button and the fields of the form. */
function approveChange({ stop, variants }: ChangeWalk, action: string, common: Hidden[]): Decide | null {
  const open = variants.variants.filter(({ undecided }) => undecided > 0);
  const count = open.reduce((sum, { undecided }) => sum + undecided, 0);
  if (count === 0) return null;
  const isVaried = variants.total > 1;
  const much =
    open.length === variants.total
      ? formatCount(open.length, 'variant')
      : `${formatNumber(open.length)} of ${formatCount(variants.total, 'variant')}`;
  return {
    action,
    fields: [
      ...common,
      { name: 'keys', value: stop.key },
      ...open.map(({ id }) => ({ name: 'variants', value: toVariantValue(stop.key, id) })),
    ],
    label: `Approve change${isVaried ? ` in ${much}` : ''} (${formatCount(count, 'screenshot')})`,
    short: `Approve ${formatNumber(count)}`,
  };
}

function requestScopes(result: PageResult, walk: ChangeWalk | null) {
  const alone = { value: result.id, label: `Only ${namePlace(result)}`, checked: true };
  const ids = walk?.variants.variants.flatMap(({ occurrences }) => occurrences.map(({ resultId }) => resultId)) ?? [];
  if (ids.length < 2) return [alone];
  const all = formatCount(walk?.stop.count ?? ids.length, 'screenshot');
  const label =
    ids.length === walk?.stop.count
      ? `All ${all} of this change`
      : `${formatNumber(ids.length)} of ${all} of this change: those shown here`;
  return [alone, { value: ids.join(','), label, checked: false }];
}

function approveOne(result: PageResult, walk: ChangeWalk | null, form: Pick<Decide, 'action' | 'fields'>) {
  const label = walk === null ? 'Approve screenshot' : 'Approve only this screenshot';
  return {
    ...form,
    fields: [...form.fields, { name: 'resultIds', value: toResultValue(result) }],
    label: result.changesRequested ? 'Approve anyway' : label,
    short: 'Approve',
  };
}

const promoteOne = (result: PageResult, runHref: string, fields: Decide['fields']) => ({
  action: `${runHref}/results/${result.id}/promote`,
  fields: [...fields, { name: 'look', value: lookOf(result) }],
});

/** `isShown`: whether the current screenshot is. Nobody approves what they were not shown. */
type Around = { next: string | null; here: string; isShown: boolean; canUndo: boolean; requests: ChangeRequest[] };

/** Null if the viewer may not approve. */
export function verdictBar(
  { run }: RunOverview,
  { result, ofSamePage }: Pick<ReviewResult, 'result' | 'ofSamePage'>,
  walk: ChangeWalk | null,
  { next, here, isShown, canUndo, requests }: Around,
) {
  if (!listPermissions(run.suite.access).approve) return null;
  const mayNow = isDecidable(run.status);
  const runHref = `/runs/${run.id}`;
  const seen = { name: 'seen', value: run.verdictNumber };
  const onward = [seen, { name: 'back', value: next ?? runHref }, { name: 'here', value: here }];
  const staying = [seen, { name: 'back', value: here }];
  const action = `${runHref}/approve`;
  const mayApprove = mayNow && isShown;
  const canOne = mayApprove && isApprovable(run, result);
  const ids = mayApprove
    ? ofSamePage.filter((row) => isApprovable(run, row) && !row.changesRequested).map(toResultValue)
    : [];
  const one = canOne ? approveOne(result, walk, { action, fields: onward }) : null;
  const change = walk === null || !mayApprove ? null : approveChange(walk, action, onward);
  const page: Decide = {
    action,
    fields: [...onward, { name: 'resultIds', value: ids.join(',') }],
    label: `Approve this page at ${formatCount(ids.length, 'viewport')}`,
    short: 'Approve page',
  };
  const approve = change ?? one;
  const isMine = requests.some(({ resultId, author }) => resultId === result.id && author.id === run.suite.viewer.id);
  const back = (label: string, only: 'approvals' | 'requests'): Decide => ({
    action: `${runHref}/undo`,
    fields: [...staying, { name: 'resultIds', value: result.id }, { name: 'only', value: only }],
    label,
    short: label,
  });
  const isPrimary = approve !== null && (approve === change || !result.changesRequested);
  const onwardLink =
    next === null
      ? { href: runHref, label: 'Back to the run', short: 'Run' }
      : { href: next, label: 'Next to decide', short: 'Next' };
  return {
    approve: approve && { ...approve, isPrimary },
    others: [...(change !== null && one !== null ? [one] : []), ...(ids.length > 1 ? [page] : [])],
    next: isPrimary ? null : { ...onwardLink, hasKey: approve === null },
    request:
      mayNow && !isMine && !isInBase(run) && result.currentFile !== null
        ? { action: `${runHref}/request-changes`, fields: staying, scopes: requestScopes(result, walk) }
        : null,
    undo: [
      ...(mayNow && result.approved && canUndo ? [back('Undo approval', 'approvals')] : []),
      ...(mayNow && isMine ? [back('Withdraw request', 'requests')] : []),
    ],
    promote: mayApprove && isPromotable(result) ? promoteOne(result, runHref, staying) : null,
    noteLength: NOTE_MAX_LENGTH,
    wait:
      !mayNow && isApprovable(run, result) && isInFlight(run.status)
        ? 'You can approve this when the run finishes'
        : null,
  };
}
