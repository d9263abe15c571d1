import { z } from 'zod';
import { promoteResult } from '../../review/approval/promote-through-api.ts';
import { getRunFor, readResult } from '../../runs/read-run.ts';
import { redirect } from '../reply.ts';
import { ApprovalNote } from '../approval-note.ts';
import { formRoute } from '../web-route.ts';
import { backTo } from '../runs/back.ts';
import { ResultParams } from './review-path.ts';

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
