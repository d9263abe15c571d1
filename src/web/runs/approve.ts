import { z } from 'zod';
import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { formatCount } from '../../text/format.ts';
import { approveRun } from '../../review/approval/approve-run.ts';
import { OF_ANOTHER_RUN } from '../../review/approval/reviewable.ts';
import { undoApproval } from '../../review/approval/undo-approval.ts';
import { getRunFor } from '../../runs/read-run.ts';
import { redirect } from '../reply.ts';
import { ApprovalNote } from '../approval-note.ts';
import { Id, many } from '../form-values.ts';
import type { Problem } from '../problem.ts';
import type { WebRequest } from '../web-route.ts';
import { formRoute } from '../web-route.ts';
import { backToResult, viewBefore } from './back.ts';
import { Offset } from './result-filter.ts';
import { RunParams } from './run-page.ts';
import { showRun } from './show-run.ts';

/** IDs, sent separately or separated by commas, because a check box or a button may represent a whole page. */
const Ids = many.transform((values) => values.flatMap((value) => value.split(',')).filter((id) => id !== ''));

const shape = {
  /** What the pressed button applies to: every changed or new result, or only the ticked ones. */
  scope: z.enum(['all', 'ticked']).optional(),
  /** Sent by the buttons of a single page or result: only these results, no matter what is ticked. */
  only: Ids,
  resultIds: Ids,
  /** A path of this service. */
  back: z.string().optional(),
};

/** `undefined` means all. */
function chosenIds({
  scope,
  only,
  resultIds,
}: {
  scope?: 'all' | 'ticked' | undefined;
  only: string[];
  resultIds: string[];
}) {
  const chosen = only.length > 0 ? only : scope === 'all' ? [] : resultIds;
  if (chosen.length === 0 && scope === 'ticked') throw invalid('Select the results you want to approve');
  const ids = z.array(Id).safeParse(chosen);
  if (!ids.success) throw invalid(OF_ANOTHER_RUN);
  return chosen.length === 0 ? undefined : [...new Set(ids.data)];
}

/** The place of the list part that contains the button. */
const InList = z.object({ offset: Offset });

const Form = z.object({
  ...shape,
  note: ApprovalNote,
});

/** Problems with the selection are shown above the list that contains the check boxes. */
async function showAgain(ctx: Context, { viewer, params }: WebRequest<{ id: string }, unknown>, problem: Problem) {
  const message = 'resultIds' in problem.fields ? OF_ANOTHER_RUN : problem.message;
  return showRun(ctx, await getRunFor(ctx, viewer, params.id, 'suite.read'), viewBefore(problem), {
    ...problem,
    message,
  });
}

/** Approves all results, the ticked ones, or those of the button. Results that are already approved are not changed. */
export const postApprove = formRoute(
  {
    path: '/runs/:id/approve',
    params: RunParams,
    query: InList,
    form: Form,
    redisplay: showAgain,
  },
  async (ctx, { viewer, params, query, form }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.approve');
    const approval = { resultIds: chosenIds(form), note: form.note ?? undefined };
    const { approved, appended } = await approveRun(ctx, run, approval);
    const baselines = appended === 0 ? '' : ` and added ${formatCount(appended, 'baseline version')}`;
    const notice =
      approved === 0 ? 'Nothing left to approve' : `Approved ${formatCount(approved, 'result')}${baselines}`;
    return redirect(backToResult(form.back, params.id, { ...query, resultId: form.only[0] }), notice);
  },
);

/** Undoes approvals in a pull request's run. This is possible until they are promoted. */
export const postUndo = formRoute(
  {
    path: '/runs/:id/undo',
    params: RunParams,
    query: InList,
    form: z.object(shape),
    redisplay: showAgain,
  },
  async (ctx, { viewer, params, query, form }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.approve');
    const { undone } = await undoApproval(ctx, run, { resultIds: chosenIds(form) });
    const notice = undone === 0 ? 'No approvals to undo' : `Undid ${formatCount(undone, 'approval')}`;
    return redirect(backToResult(form.back, params.id, { ...query, resultId: form.only[0] }), notice);
  },
);
