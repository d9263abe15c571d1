import { z } from 'zod';
import { findFirstUndecided } from '../../review/list/list-for-review.ts';
import { getRunFor } from '../../runs/read-run.ts';
import { settingsReview } from '../../runs/settings-change/settings-change.ts';
import { redirect } from '../reply.ts';
import { Id } from '../form-values.ts';
import { pageRoute } from '../web-route.ts';

const Params = z.object({ id: Id });

/** `results=only`: whoever comes from the run has seen what it changes in the settings. */
const Query = z.object({ results: z.literal('only').optional().catch(undefined) });

/**
 * Redirects to what awaits a decision: to the settings, then to the first result, or to the run if there is none. So a
 * list of runs can link here without looking that up.
 */
export const getFirstUnapproved = pageRoute(
  { path: '/runs/:id/review', params: Params, query: Query },
  async (ctx, { viewer, params, query }) => {
    const { id } = params;
    const run = await getRunFor(ctx, viewer, id, 'suite.read');
    if (settingsReview(run) === 'PENDING' && query.results === undefined) return redirect(`/runs/${id}#settings`);
    const first = await findFirstUndecided(ctx, run);
    return redirect(first === null ? `/runs/${id}` : `/runs/${id}/results/${first}`);
  },
);
