import type { Context } from '../../context.ts';
import { describeWhere } from '../../review/changes/change-group.ts';
import { listHeard } from '../../review/changes/list-changes.ts';
import type { RunFor } from '../../runs/read-run.ts';
import type { StoredChange } from '../../runs/results/result.ts';
import { formatCount } from '../../text/format.ts';
import { resultPath } from './results/address.ts';

/** How many differences of a run are shown. The API has all of them. */
const SHOWN = 30;

/** With more, they are folded. */
const OPEN = 3;

type Row = { element: string; summary: string; where: string | null; href: string | null };

/** Null: nothing. */
function heardModel(rows: Row[], total: number) {
  if (total === 0) return null;
  const title = `Assistive technology hears ${formatCount(total, 'difference')}`;
  return { title, isOpen: total <= OPEN, rows, left: total - rows.length };
}

/** The differences that assistive technology hears in a run. */
export async function readHeardOfRun(ctx: Pick<Context, 'db'>, run: RunFor) {
  const { items, total } = await listHeard(ctx, run, { limit: SHOWN, after: null });
  const row = (group: (typeof items)[number]): Row => ({
    ...group,
    where: describeWhere(group),
    href: resultPath(run.id, group.resultId),
  });
  return heardModel(items.map(row), total);
}

/** The same of one result. */
export function heardOfResult(changes: Pick<StoredChange, 'kind' | 'element' | 'summary'>[]) {
  const heard = changes.filter(({ kind }) => kind === 'ACCESSIBILITY');
  return heardModel(
    heard.map((change) => ({ ...change, where: null, href: null })),
    heard.length,
  );
}
