import { z } from 'zod';
import { readRunOverview } from '../../review/overview/read-run-overview.ts';
import { REVIEW_SECTIONS } from '../../runs/results/review-section.ts';
import { getRunFor } from '../../runs/read-run.ts';
import { redirect } from '../reply.ts';
import { Id } from '../form-values.ts';
import { withQuery } from '../pager.ts';
import { pageRoute } from '../web-route.ts';
import { Offset, ResultPart, filterQuery } from './result-filter.ts';
import { readResultsByPage } from './results-by-page.ts';
import { resultsModel, showRun } from './show-run.ts';

export const RunParams = z.object({ id: Id });

const RunQuery = ResultPart.extend({ changes: Offset, view: z.literal('pages').optional().catch(undefined) });

/** A run. When htmx changes the filter, it gets only the results. */
export const getRun = pageRoute(
  { path: '/runs/:id', params: RunParams, query: RunQuery },
  async (ctx, { viewer, params, query, htmx, preferences }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.read');
    const { offset, changes, view, ...filter } = query;
    const byPage = view === 'pages';
    if (!htmx) return showRun(ctx, run, { filter, offset, changes, byPage, layout: preferences.resultLayout });
    const overview = await readRunOverview(ctx, run);
    const results = await resultsModel(ctx, overview, { filter, offset });
    return { kind: 'fragment', view: 'runs/results', model: { results } };
  },
);

const Next = ResultPart.extend({ last: z.enum(REVIEW_SECTIONS).nullable().catch(null) });

/** The next part of the list, to be added at the end. */
export const getResults = pageRoute(
  { path: '/runs/:id/results', params: RunParams, query: Next },
  async (ctx, { viewer, params, query, htmx }) => {
    const { offset, last, ...filter } = query;
    if (!htmx) return redirect(withQuery(`/runs/${params.id}`, { ...filterQuery(filter), offset }));
    const run = await getRunFor(ctx, viewer, params.id, 'suite.read');
    const overview = await readRunOverview(ctx, run);
    const list = await readResultsByPage(ctx, overview, { filter, offset, lastSection: last });
    return { kind: 'fragment', view: 'runs/results-by-page', model: { list } };
  },
);
