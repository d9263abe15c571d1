import { z } from 'zod';
import { countAsChange } from '../../review/approval/count-as-change.ts';
import { getRunFor } from '../../runs/read-run.ts';
import { redirect } from '../reply.ts';
import { formRoute } from '../web-route.ts';
import { backTo } from '../runs/back.ts';
import { ResultParams } from './review-path.ts';

/** Makes a difference that did not count need an approval. */
export const postCount = formRoute(
  {
    path: '/runs/:id/results/:resultId/count',
    params: ResultParams,
    form: z.object({ back: z.string().optional() }),
  },
  async (ctx, { viewer, params, form: { back } }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.approve');
    await countAsChange(ctx, run, params.resultId);
    return redirect(backTo(back, params.id), 'This now counts as a change and needs approval');
  },
);
