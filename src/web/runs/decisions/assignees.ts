import { z } from 'zod';
import { personName } from '../../../auth/user.ts';
import type { Context } from '../../../context.ts';
import { Id, onRun } from '../../../http/acts-on.ts';
import { assignRun, REVIEWERS_MAX } from '../../../runs/assignees/assign-run.ts';
import type { Assignee } from '../../../runs/assignees/assignee-sql.ts';
import { readReviewers } from '../../../runs/assignees/assignee-store.ts';
import type { RunFor } from '../../../runs/read-run.ts';
import { isAssignable, waitsForReview } from '../../../runs/run.ts';
import { many } from '../../form-field.ts';
import { listPermissions } from '../../permissions.ts';
import { BackForm, runForm } from './run-form.ts';

/** `Ada, Bob`. */
const nameAssignees = (assignees: readonly Assignee[]): string => assignees.map(personName).join(', ');

/** Printed by the partial `run-assignees`: whom the run waits for, and whom it can be assigned to. Null: nothing. */
export async function assigneesModel(ctx: Context, run: RunFor) {
  const mayAssign = isAssignable(run) && listPermissions(run.suite.access).approve;
  const { assignees } = run;
  const reviewers = mayAssign ? await readReviewers(ctx.db, run, REVIEWERS_MAX) : [];
  // If only the viewer can review, there is nobody to choose.
  if (assignees.length === 0 && reviewers.length < 2) return null;
  return {
    words: waitsForReview(run) ? 'Waiting for' : 'Assigned to',
    names: nameAssignees(assignees),
    action: `/runs/${run.id}/assignees`,
    reviewers: reviewers.map((person) => ({
      id: person.id,
      name: personName(person),
      isViewer: person.id === run.suite.viewer.id,
      assigned: assignees.some(({ id }) => id === person.id),
    })),
  };
}

const Assign = BackForm.extend({ user: many.pipe(z.array(Id)) });

export const postAssignees = runForm(
  { path: '/runs/:id/assignees', ...onRun('suite.approve'), form: Assign },
  async (ctx, { run, form: { user } }) => {
    const assignees = await assignRun(ctx, run, user);
    return assignees.length === 0 ? 'Assigned to nobody' : `Assigned to ${nameAssignees(assignees)}`;
  },
);
