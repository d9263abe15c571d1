import { z } from 'zod';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { readChange } from '../../review/changes/list-changes.ts';
import { listApprovers, readRunOverview } from '../../review/overview/read-run-overview.ts';
import { readPeople } from '../../runs/read-people.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { getRunFor } from '../../runs/read-run.ts';
import { formatNumber } from '../../text/format.ts';
import { buildPager } from '../pager.ts';
import type { Problem } from '../problem.ts';
import type { Reply } from '../reply.ts';
import { typedNumber } from '../../text/typed-number.ts';
import { pageRoute } from '../web-route.ts';
import { RESULTS, mayApprove } from './change-list.ts';
import type { ChangeRow } from './change-row.ts';
import { changeRow } from './change-row.ts';
import { runHead } from './run-head.ts';
import { RunParams } from './run-page.ts';

/** Variants shown at once. */
const PART = 24;

/** What pressing the button approves: what is shown here. */
function nameButton({ varied, variants }: ChangeRow, total: number): string {
  const open = variants.filter(({ isOpen }) => isOpen).length;
  if (varied === null) return 'Approve change';
  return open === total ? `Approve change in ${varied}` : `Approve ${formatNumber(open)} of ${varied}`;
}

/** A change with what it looks like, wherever it occurs. */
export async function showChange(
  ctx: Context,
  run: RunFor,
  { key, page }: { key: string; page: number },
  problem: Problem | null = null,
): Promise<Reply> {
  const group = await readChange(ctx, run, key, { limit: PART, offset: (page - 1) * PART, results: RESULTS });
  if (group === null) throw notFound('Page');
  // What was approved is listed last, so this may have been the last part.
  if (group.variants.length === 0 && page > 1) return showChange(ctx, run, { key, page: 1 }, problem);
  const overview = await readRunOverview(ctx, run);
  const [approvers, people] = await Promise.all([listApprovers(ctx, overview), readPeople(ctx, [run])]);
  const head = runHead(ctx.config, overview, approvers, people);
  const change = changeRow(group, { runId: run.id, canApprove: mayApprove(overview), first: 1 + (page - 1) * PART });
  const total = group.variantCount;
  const isOpen = change.variants.some((variant) => variant.isOpen);
  const model = {
    head,
    run: { href: `/runs/${run.id}`, back: `/runs/${run.id}#change-${key}`, title: head.title },
    problem,
    change,
    form: isOpen
      ? { action: `/runs/${run.id}/changes/approve`, seen: run.verdictNumber, button: nameButton(change, total) }
      : null,
    pager: buildPager({ total, page, size: PART }, change.href, {}),
  };
  const title = `${group.element} ${group.summary}`.trim();
  return { kind: 'page', view: 'runs/change', title: `${title} in ${head.pageTitle}`, model, section: 'runs' };
}

const Query = z.object({ page: typedNumber(1, 100_000).catch(1) });

export const getChange = pageRoute(
  { path: '/runs/:id/changes/:changeId', params: RunParams.extend({ changeId: z.string() }), query: Query },
  async (ctx, { viewer, params, query }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.read');
    return showChange(ctx, run, { key: params.changeId, page: query.page });
  },
);
