import type { Context } from '../../context.ts';
import { cropUrl } from '../../http/image-url.ts';
import type { ChangeGroup, Crop, Occurrence } from '../../review/changes/change-group.ts';
import { describeWhere } from '../../review/changes/describe-where.ts';
import { listChanges, listOccurrences } from '../../review/changes/list-changes.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import { isDecidable } from '../../runs/run.ts';
import { formatCount, formatNumber } from '../../text/format.ts';
import type { Badge } from '../badge.ts';
import { APPROVED_BADGE, DRIFT_BADGE } from '../badge.ts';
import { withQuery } from '../pager.ts';
import { listPermissions } from '../permissions.ts';
import { CHANGE_BADGES } from './change-badges.ts';
import { resultPath } from './result-filter.ts';

/** Groups shown at once, and results listed for each. */
const PART = 30;
const RESULTS = 60;

const OWN = { publicUrl: '' };

/** What the partial `change` prints: one cause, with the results in which it shows. */
type ChangeRow = {
  key: string;
  element: string | null;
  summary: string;
  badges: Badge[];
  /** Such as `6 pages × 2 viewports`. */
  where: string;
  before: string | null;
  after: string | null;
  /** The viewer can approve it. */
  isOpen: boolean;
  results: { href: string; path: string; viewport: string; approved: boolean }[];
  /** How many results are not listed. */
  left: number;
};

/** What `runs/changes` prints: the causes of a run's differences. */
export type ChangeList = {
  heading: string;
  /** Null when the viewer can approve none of those that are shown. */
  form: { action: string; open: number; seen: number } | null;
  rows: ChangeRow[];
  /** Those that a person would hardly see. */
  faint: { label: string; rows: ChangeRow[] } | null;
  more: string | null;
  previous: string | null;
};

const urlOf = (crop: Crop | null) => (crop === null ? null : cropUrl(OWN, crop));

function toRow(runId: string, group: ChangeGroup, occurrences: Occurrence[], canApprove: boolean): ChangeRow {
  const { key, kind, element, summary, count, pending, drift } = group;
  return {
    key,
    element: element === '' ? null : element,
    summary,
    badges: [CHANGE_BADGES[kind], ...(drift ? [DRIFT_BADGE] : pending === 0 ? [APPROVED_BADGE] : [])],
    where: describeWhere(group),
    before: urlOf(group.beforeCrop),
    after: urlOf(group.afterCrop),
    isOpen: canApprove && pending > 0,
    results: occurrences.map(({ resultId, path, viewport, approved }) => ({
      href: resultPath(runId, resultId),
      path,
      viewport,
      approved,
    })),
    left: count - occurrences.length,
  };
}

/** Null when the run has none, or when no changes were stored with its results. */
export async function readChangeList(
  ctx: Pick<Context, 'db'>,
  { run, suite }: RunOverview,
  offset: number,
): Promise<ChangeList | null> {
  const found = await listChanges(ctx, run, { limit: PART + 1, offset });
  if (found.groups.length === 0) return null;
  const groups = found.groups.slice(0, PART);
  const occurrences = await listOccurrences(ctx, run, groups, RESULTS);
  const canApprove = listPermissions(suite.access).approve && isDecidable(run.status);
  const row = (group: ChangeGroup) => toRow(run.id, group, occurrences.get(group.key) ?? [], canApprove);
  const faint = groups.filter((group) => group.faint).map(row);
  const rows = groups.filter((group) => !group.faint).map(row);
  const open = [...rows, ...faint].filter(({ isOpen }) => isOpen).length;
  const at = (changes: number) => withQuery(`/runs/${run.id}`, { changes: changes === 0 ? null : changes });
  const waiting = found.pending === found.total ? '' : `, ${formatNumber(found.pending)} to review`;
  return {
    heading: `${formatCount(found.total, 'change')}${waiting}`,
    form: open === 0 ? null : { action: `/runs/${run.id}/changes/approve`, open, seen: run.verdictNumber },
    rows,
    faint: faint.length === 0 ? null : { label: formatCount(faint.length, 'faint change'), rows: faint },
    more: found.groups.length > PART ? at(offset + PART) : null,
    previous: offset === 0 ? null : at(Math.max(0, offset - PART)),
  };
}
