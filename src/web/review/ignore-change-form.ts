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
    const result = await readResult(ctx, run, params.resultId);
    const { id } = await ignoreChange(ctx, result, { note, expiresAt });
    const until = days === null ? '' : ` for ${days} days`;
    const list = `/suites/${run.testSuiteId}/ignored-changes`;
    const to = backTo(back, params.id);
    return redirect(to, {
      text: `This exact change is ignored on ${result.path} at ${result.viewport}${until}.`,
      isProblem: false,
      actions: [
        { label: 'Undo', action: `${list}/${id}/revoke`, fields: { back: to }, key: 'z' },
        { label: 'Change', action: list, fields: null },
      ],
    });
  },
);
