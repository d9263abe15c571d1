import type { Context } from '../../context.ts';
import { describeWhere } from '../../review/changes/describe-where.ts';
import { listHeard } from '../../review/changes/list-heard.ts';
import type { RunFor } from '../../runs/read-run.ts';
import type { StoredChange } from '../../runs/results/change.ts';
import { formatCount } from '../../text/format.ts';
import { resultPath } from './results/address.ts';

/** How many differences of a run are shown. The API has all of them. */
const SHOWN = 30;

/** With more, they are folded. */
const OPEN = 3;

/** The differences that assistive technology hears in a run. Null: nothing. */
export async function readHeardOfRun(ctx: Pick<Context, 'db'>, run: RunFor) {
  const { items, total } = await listHeard(ctx, run, { limit: SHOWN, after: null });
  if (total === 0) return null;
  return {
    title: `Assistive technology hears ${formatCount(total, 'difference')}`,
    isOpen: total <= OPEN,
    rows: items.map((group) => ({
      element: group.element,
      summary: group.summary,
      where: describeWhere(group),
      href: resultPath(run.id, group.resultId),
    })),
    left: total - items.length,
  };
}

/** The same of one result. */
export function heardOfResult(changes: Pick<StoredChange, 'kind' | 'element' | 'summary'>[]) {
  const rows = changes.filter(({ kind }) => kind === 'ACCESSIBILITY');
  if (rows.length === 0) return null;
  return {
    title: `Assistive technology hears ${formatCount(rows.length, 'difference')}`,
    isOpen: rows.length <= OPEN,
    rows: rows.map(({ element, summary }) => ({ element, summary, where: null, href: null })),
    left: 0,
  };
}
