import { z } from 'zod';
import type { Context } from '../../context.ts';
import { formatCount } from '../../text/format.ts';
import { cancelRun } from '../../runs/cancel-run.ts';
import { getRunFor } from '../../runs/read-run.ts';
import { renderProven, rerunAllErrors, rerunErrors } from '../../runs/rerun-errors.ts';
import { redirect } from '../reply.ts';
import type { Problem } from '../problem.ts';
import type { WebRequest } from '../web-route.ts';
import { formRoute } from '../web-route.ts';
import { refused } from './approve.ts';
import { backTo } from './back.ts';
import { RunParams } from './run-page.ts';

const redisplay = async (_ctx: Context, { params }: WebRequest<{ id: string }, unknown>, problem: Problem) =>
  refused(problem, params.id);

/** Cancels a run in flight. */
export const postCancel = formRoute(
  {
    path: '/runs/:id/cancel',
    params: RunParams,
    form: z.object({ back: z.string().optional() }),
    redisplay,
  },
  async (ctx, { viewer, params, form }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.run');
    await cancelRun(ctx, run);
    return redirect(backTo(form.back, params.id), 'Run cancelled');
  },
);

const Rerun = z.object({
  /** The page whose errors are re-run. If omitted, those of all pages are. */
  path: z.string().startsWith('/').optional(),
  /** What was proven unchanged is captured instead. */
  render: z.literal('true').optional(),
  back: z.string().optional(),
});

/** Re-runs errors in the same run: those of one page, or all. Or captures what was proven unchanged. */
export const postRerun = formRoute(
  {
    path: '/runs/:id/rerun',
    params: RunParams,
    form: Rerun,
    redisplay,
  },
  async (ctx, { viewer, params, form }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.run');
    if (form.render !== undefined) {
      const pages = await renderProven(ctx, run);
      return redirect(backTo(form.back, params.id), `Capturing ${formatCount(pages, 'page')}`);
    }
    const queued =
      form.path === undefined
        ? await rerunAllErrors(ctx, run)
        : await rerunErrors(ctx, run, { url: run.suite.origin + form.path });
    return redirect(backTo(form.back, params.id), `Retrying ${formatCount(queued, 'error')}`);
  },
);
