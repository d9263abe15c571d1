import { z } from 'zod';
import { displaySummary } from '../../../auth/user.ts';
import type { Context } from '../../../context.ts';
import { assignRun, listReviewers } from '../../../runs/assignees/assign-run.ts';
import type { Assignee } from '../../../runs/assignees/assignee.ts';
import { isAssignable, waitsForReview } from '../../../runs/assignees/waits-for-review.ts';
import type { RunFor } from '../../../runs/read-run.ts';
import { getRunFor } from '../../../runs/read-run.ts';
import { Id, many } from '../../form-values.ts';
import { listPermissions } from '../../permissions.ts';
import { redirect } from '../../reply.ts';
import { formRoute } from '../../web-route.ts';

/** `Ada, Bob`. */
const nameAssignees = (assignees: readonly Assignee[]): string => assignees.map(displaySummary).join(', ');

/** What the partial `run-assignees` prints: whom the run waits for, and whom it can be assigned to. Null: nothing. */
export async function assigneesModel(ctx: Context, run: RunFor) {
  const mayAssign = isAssignable(run) && listPermissions(run.suite.access).approve;
  const { assignees } = run;
  const reviewers = mayAssign ? await listReviewers(ctx, run) : [];
  // Who reviews alone need not say so.
  if (assignees.length === 0 && reviewers.length < 2) return null;
  return {
    words: waitsForReview(run) ? 'Waiting for' : 'Assigned to',
    names: nameAssignees(assignees),
    action: `/runs/${run.id}/assignees`,
    reviewers: reviewers.map((person) => ({
      id: person.id,
      name: displaySummary(person),
      isViewer: person.id === run.suite.viewer.id,
      assigned: assignees.some(({ id }) => id === person.id),
    })),
  };
}

export const postAssignees = formRoute(
  { path: '/runs/:id/assignees', params: z.object({ id: Id }), form: z.object({ user: many.pipe(z.array(Id)) }) },
  async (ctx, { viewer, params, form }) => {
    const assignees = await assignRun(ctx, await getRunFor(ctx, viewer, params.id, 'suite.approve'), form.user);
    const notice = assignees.length === 0 ? 'Assigned to nobody' : `Assigned to ${nameAssignees(assignees)}`;
    return redirect(`/runs/${params.id}`, notice);
  },
);
