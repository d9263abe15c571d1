import { z } from 'zod';
import { findFirstUndecided } from '../../review/list/list-for-review.ts';
import { getRunFor } from '../../runs/read-run.ts';
import { redirect } from '../reply.ts';
import { Id } from '../form-values.ts';
import { pageRoute } from '../web-route.ts';

const Params = z.object({ id: Id });

/**
 * Redirects to the first result that awaits a decision, or to the run if there is none. So a list of runs can link here
 * without looking up that result.
 */
export const getFirstUnapproved = pageRoute(
  { path: '/runs/:id/review', params: Params },
  async (ctx, { viewer, params }) => {
    const { id } = params;
    const run = await getRunFor(ctx, viewer, id, 'suite.read');
    const first = await findFirstUndecided(ctx, run);
    return redirect(first === null ? `/runs/${id}` : `/runs/${id}/results/${first}`);
  },
);
