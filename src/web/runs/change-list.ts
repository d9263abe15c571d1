import type { Context } from '../../context.ts';
import type { ChangeGroup } from '../../review/changes/change-group.ts';
import { listShownVariants } from '../../review/changes/change-group.ts';
import { listChanges } from '../../review/changes/list-changes.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import { isDecidable } from '../../runs/run.ts';
import { formatCount, formatNumber } from '../../text/format.ts';
import { withQuery } from '../pager.ts';
import { listPermissions } from '../permissions.ts';
import type { ChangeRow } from './change-row.ts';
import { changeRow } from './change-row.ts';

/** Groups shown at once, and results listed for each of their variants. */
const PART = 30;
export const RESULTS = 60;

/** What `runs/changes` prints: the causes of a run's differences. */
export type ChangeList = {
  heading: string;
  /** Null when the viewer can approve none of those that are shown. */
  form: { action: string; open: number; seen: number; isVaried: boolean } | null;
  rows: ChangeRow[];
  /** Those that a person would hardly see. */
  faint: { label: string; rows: ChangeRow[] } | null;
  more: string | null;
  previous: string | null;
  /** The ids of the variants that are shown, of changes that come in several. */
  shown: string[];
};

export const mayApprove = ({ run, suite }: Pick<RunOverview, 'run' | 'suite'>): boolean =>
  listPermissions(suite.access).approve && isDecidable(run.status);

/** Null when the run has none, or when no changes were stored with its results. */
export async function readChangeList(
  ctx: Pick<Context, 'db'>,
  overview: RunOverview,
  offset: number,
): Promise<ChangeList | null> {
  const { run } = overview;
  const found = await listChanges(ctx, run, { limit: PART + 1, offset }, RESULTS);
  if (found.groups.length === 0) return null;
  const groups = found.groups.slice(0, PART);
  const canApprove = mayApprove(overview);
  const row = (group: ChangeGroup) => changeRow(group, { runId: run.id, canApprove, first: 1 });
  const faint = groups.filter((group) => group.faint).map(row);
  const rows = groups.filter((group) => !group.faint).map(row);
  const open = [...rows, ...faint].filter(({ isOpen }) => isOpen);
  const at = (changes: number) => withQuery(`/runs/${run.id}`, { changes: changes === 0 ? null : changes });
  const waiting = found.pending === found.total ? '' : `, ${formatNumber(found.pending)} to review`;
  return {
    heading: `${formatCount(found.total, 'change')}${waiting}`,
    form:
      open.length === 0
        ? null
        : {
            action: `/runs/${run.id}/changes/approve`,
            open: open.length,
            seen: run.verdictNumber,
            isVaried: open.some(({ varied }) => varied !== null),
          },
    rows,
    faint: faint.length === 0 ? null : { label: formatCount(faint.length, 'faint change'), rows: faint },
    more: found.groups.length > PART ? at(offset + PART) : null,
    previous: offset === 0 ? null : at(Math.max(0, offset - PART)),
    shown: listShownVariants(groups),
  };
}
