import { z } from 'zod';
import { typedNumber } from '../../text/typed-number.ts';
import { getRunFor } from '../../runs/read-run.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import type { Reply } from '../reply.ts';
import { redirect } from '../reply.ts';
import { ResultFilter, isFiltered, PANELS, ResultParams, reviewPath } from './results/address.ts';
import { pageRoute } from '../web-route.ts';
import { findReviewed, readReview } from './read-review.ts';
import { mayRerun } from './result-body.ts';
import { readSidebar, readSidebarPart } from './results/sidebar.ts';
import { choiceShape } from '../comparison/view-mode.ts';

const Place = typedNumber(0, 10_000_000).nullable().catch(null).default(null);

const Query = z.object({
  ...ResultFilter.shape,
  ...choiceShape,
  /** The key of the change that is looked at. Null: the walk is over results. */
  change: z.string().max(64).nullable().catch(null).default(null),
  list: Place,
  until: Place,
  panel: z.enum(PANELS).nullable().catch(null).default(null),
  /** `wait`: an open page polls until the result was judged again. */
  judging: z.string().optional().catch(undefined),
});

/** The form that re-runs all errors of the run. Null if there are none, or if the viewer is not allowed to. */
function rerunForm(overview: RunOverview) {
  const { run, counts } = overview;
  if (counts.error === 0 || !mayRerun(overview)) return null;
  return { action: `/runs/${run.id}/rerun`, back: `/runs/${run.id}`, errors: counts.error };
}

/**
 * One result with its screenshots, and beside it the list of changes or results that it is a part of. htmx gets only the
 * result, or only a part of the list.
 */
export const getResult = pageRoute(
  { path: '/runs/:id/results/:resultId', params: ResultParams, query: Query },
  async (ctx, { viewer, params: { id: runId, resultId }, query, htmx }): Promise<Reply> => {
    const { change, mode, show, view, fold, list, until, panel, judging: waits, ...filter } = query;
    const run = await getRunFor(ctx, viewer, runId, 'suite.read');
    const address = { runId, change, filter: change === null ? filter : {}, choice: { mode, show, view, fold }, panel };
    const asked = { address, resultId };
    const found = await findReviewed(ctx, run, asked);
    const { overview, review, walk, judging, mainTotal } = found;
    if (change !== null && walk === null) return redirect(reviewPath({ ...address, change: null }, resultId));
    const rows = { address, overview, currentId: resultId, total: review.total, mainTotal };
    if (htmx && list !== null) {
      const part = await readSidebarPart(ctx, rows, { start: list, until });
      return { kind: 'fragment', view: 'review/sidebar-part', model: part };
    }
    // Where it now stands in the list may be elsewhere, so that the whole page is loaded again.
    if (htmx && waits !== undefined && !judging) return redirect(reviewPath(address, resultId));
    const main = await readReview(ctx, run, asked, found);
    if (htmx) return { kind: 'fragment', view: 'review/part', model: main };
    const at = { at: list ?? (review.place ?? 1) - 1, exact: list !== null };
    const beside =
      walk === null
        ? {
            list: await readSidebar(ctx, rows, at),
            filtered: isFiltered(filter) && !filter.rest ? `/runs/${runId}?view=pages` : null,
            rerun: rerunForm(overview),
          }
        : { stops: walk };
    return {
      kind: 'page',
      view: 'review/result',
      title: main.title,
      model: { ...main, ...beside },
      width: 'full',
      section: 'runs',
    };
  },
);
