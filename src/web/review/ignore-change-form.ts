import { z } from 'zod';
import { ignoreChange } from '../../runs/judging/ignore-change.ts';
import { getRunFor, readResult } from '../../runs/read-run.ts';
import { redirect } from '../reply.ts';
import { ApprovalNote } from '../approval-note.ts';
import { formRoute } from '../web-route.ts';
import { backTo } from '../runs/back.ts';
import { EXPIRIES, EXPIRY_DAYS } from './ignore-forms.ts';
import { ResultParams } from './review-path.ts';

const DAY = 24 * 60 * 60 * 1000;

const Form = z.object({
  note: ApprovalNote,
  expires: z.enum(EXPIRIES).default('never'),
  back: z.string().optional(),
});

/** Waves the very change of a result through, for its page and viewport. */
export const postIgnoreChange = formRoute(
  { path: '/runs/:id/results/:resultId/ignore-change', params: ResultParams, form: Form },
  async (ctx, { viewer, params, form: { note, expires, back } }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.approve');
    const days = EXPIRY_DAYS[expires];
    const expiresAt = days === null ? null : new Date(ctx.clock.now().getTime() + days * DAY);
    await ignoreChange(ctx, await readResult(ctx, run, params.resultId), { note, expiresAt });
    const until = days === null ? '' : ` for ${days} days`;
    return redirect(backTo(back, params.id), `This exact change is ignored${until}`);
  },
);
