import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { formatCount } from '../../../text/format.ts';
import { cancelRun } from '../../../runs/cancel-run.ts';
import { getRunFor, readResult } from '../../../runs/read-run.ts';
import { renderProven, rerunAllErrors, rerunErrors } from '../../../runs/rerun-errors.ts';
import { redirect } from '../../reply.ts';
import type { Problem } from '../../problem.ts';
import type { WebRequest } from '../../web-route.ts';
import { formRoute } from '../../web-route.ts';
import { refused } from './decide.ts';
import { backTo, ResultParams, RunParams } from '../results/address.ts';
import { sayDifferentServers } from '../../../runs/judging/say-different-servers.ts';
import { countAsChange } from '../../../review/approval/count-as-change.ts';
import { promoteResult } from '../../../review/approval/promote-through-api.ts';
import { ApprovalNote } from '../../approval-note.ts';

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

/** Keeps that preview and site are different servers, or that they may be one. */
export const postServers = formRoute(
  {
    path: '/runs/:id/servers',
    params: RunParams,
    form: z.object({ differ: z.enum(['true', 'false']), back: z.string().optional() }),
  },
  async (ctx, { viewer, params, form: { differ, back } }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.approve');
    await sayDifferentServers(ctx, run, { differ: differ === 'true' });
    return redirect(backTo(back, params.id), 'Saved. Open runs are evaluated again');
  },
);

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

const Form = z.object({
  note: ApprovalNote,
  back: z.string().optional(),
});

/** Sets a screenshot that passed with some differing pixels as the baseline. There is nothing to approve about it. */
export const postPromote = formRoute(
  { path: '/runs/:id/results/:resultId/promote', params: ResultParams, form: Form },
  async (ctx, { viewer, params, form: { note, back } }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.approve');
    const { currentVersion } = await promoteResult(ctx, await readResult(ctx, run, params.resultId), note);
    return redirect(backTo(back, params.id), `This screenshot is now baseline version ${currentVersion}`);
  },
);
