import { z } from 'zod';
import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { formatCount } from '../../text/format.ts';
import { approveRun } from '../../review/approve-run.ts';
import { OF_ANOTHER_RUN } from '../../review/reviewable.ts';
import { undoApproval } from '../../review/undo-approval.ts';
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

/** Ids one by one, or several with commas between: a tick box or button may stand for a whole page. */
const Ids = many.transform((values) => values.flatMap((value) => value.split(',')).filter((id) => id !== ''));

const shape = {
  /** What the pressed button stands for: every changed or new result, or those that are ticked. */
  scope: z.enum(['all', 'ticked']).optional(),
  /** Of a button of its own: these and no others, whatever is ticked. */
  only: Ids,
  resultIds: Ids,
  /** A path of ours. */
  back: z.string().optional(),
};

/** `undefined`: all. */
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

/** Of the part of the list that the button is in. */
const InList = z.object({ offset: Offset });

const Form = z.object({
  ...shape,
  note: ApprovalNote,
});

/** What is wrong with ticks is said above the list, which has them. */
async function showAgain(ctx: Context, { viewer, params }: WebRequest<{ id: string }, unknown>, problem: Problem) {
  const message = 'resultIds' in problem.fields ? OF_ANOTHER_RUN : problem.message;
  return showRun(ctx, await getRunFor(ctx, viewer, params.id, 'suite.read'), viewBefore(problem), {
    ...problem,
    message,
  });
}

/** Approves all, what is ticked, or what the button names; what is approved already stays as it is. */
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

/** Takes approvals of a pull request's run back, until they were promoted. */
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
