import { z } from 'zod';
import { readReviewResult } from '../../review/read-review-result.ts';
import { promoteThroughApi } from '../../review/promote-through-api.ts';
import { redirect } from '../reply.ts';
import { ApprovalNote } from '../approval-note.ts';
import { Id } from '../form-values.ts';
import { formRoute } from '../route.ts';
import { backTo } from '../runs/back.ts';

const Params = z.object({ id: Id, resultId: Id });

const Form = z.object({
  note: ApprovalNote,
  back: z.string().optional(),
});

/** Takes a picture that passed, though some pixels differ, for the baseline: there is nothing to approve about it. */
export const postPromote = formRoute(
  { path: '/runs/:id/results/:resultId/promote', params: Params, form: Form },
  async (ctx, { viewer, params, form: { note, back } }) => {
    const { result } = await readReviewResult(ctx, viewer, params.id, params.resultId, {});
    const input = { pageResultId: result.id, note: note ?? undefined };
    const { currentVersion } = await promoteThroughApi(ctx, viewer, input);
    return redirect(backTo(back, params.id), `This screenshot is now baseline version ${currentVersion}`);
  },
);
