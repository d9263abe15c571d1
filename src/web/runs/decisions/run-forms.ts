import { z } from 'zod';
import { personName } from '../../../auth/user.ts';
import { ReviewerNote } from '../../../baselines/baseline.ts';
import type { Context } from '../../../context.ts';
import { Id, inRun, onResult, onRun } from '../../../http/acts-on.ts';
import { assertStored } from '../../../review/approval/as-shown.ts';
import { countAsChange } from '../../../review/approval/decide.ts';
import { promoteResult } from '../../../review/approval/promote-through-api.ts';
import { BOX_MAX, COMMENT_MAX_LENGTH, CommentText, MAX_COMMENTS } from '../../../review/comments/comment.ts';
import { addComment, deleteComment, editComment, listComments } from '../../../review/comments/comments.ts';
import { assignRun, REVIEWERS_MAX } from '../../../runs/assignees/assign-run.ts';
import { readReviewers } from '../../../runs/assignees/assignee-store.ts';
import { cancelRun } from '../../../runs/end-run.ts';
import { sayDifferentServers } from '../../../runs/judging/say-different-servers.ts';
import type { RunFor } from '../../../runs/read-run.ts';
import { renderProven, rerunAllErrors, rerunErrors } from '../../../runs/rerun-errors.ts';
import { isAssignable, waitsForReview } from '../../../runs/run.ts';
import { formatCount } from '../../../text/format.ts';
import { many, SeenVerdict } from '../../form-field.ts';
import { listPermissions } from '../../permissions.ts';
import { nameAssignees } from '../../run-row.ts';
import { resultPath } from '../results/address.ts';
import { BackForm, BOX, readBox, runForm } from './run-form.ts';

export const postCancel = runForm(
  { path: '/runs/:id/cancel', ...onRun('suite.run'), form: BackForm },
  async (ctx, { run }) => {
    await cancelRun(ctx, run);
    return 'Run cancelled';
  },
);

const Rerun = BackForm.extend({
  /** The page whose errors are re-run. If omitted, those of all pages are. */
  path: z.string().startsWith('/').optional(),
  /** Captures pages that were proven unchanged instead. */
  render: z.literal('true').optional(),
});

/** Re-runs errors in the same run, of one page or all. Or captures pages that were proven unchanged. */
export const postRerun = runForm(
  { path: '/runs/:id/rerun', ...onRun('suite.run'), form: Rerun },
  async (ctx, { run, form: { path, render } }) => {
    if (render !== undefined) return `Capturing ${formatCount(await renderProven(ctx, run), 'page')}`;
    const queued = await (path === undefined
      ? rerunAllErrors(ctx, run)
      : rerunErrors(ctx, run, { url: run.suite.origin + path }));
    return `Retrying ${formatCount(queued, 'error')}`;
  },
);

const Servers = BackForm.extend({ differ: z.enum(['true', 'false']) });

/** Stores that preview and site are different servers, or that they may be one. */
export const postServers = runForm(
  { path: '/runs/:id/servers', ...onRun('suite.approve'), form: Servers },
  async (ctx, { run, form: { differ } }) => {
    await sayDifferentServers(ctx, run, { differ: differ === 'true' });
    return 'Saved. Open runs are evaluated again';
  },
);

/** Makes a difference that did not count need an approval. */
export const postCount = runForm(
  { path: '/runs/:id/results/:resultId/count', ...inRun('suite.approve', { resultId: Id }), form: BackForm },
  async (ctx, { run, params: { resultId } }) => {
    await countAsChange(ctx, run, resultId);
    return 'This now counts as a change and needs approval';
  },
);

const Promote = BackForm.extend({ note: ReviewerNote, seen: SeenVerdict, look: z.string().optional() });

/** Sets a screenshot that passed with some differing pixels as the baseline. There is nothing to approve about it. */
export const postPromote = runForm(
  {
    path: '/runs/:id/results/:resultId/promote',
    ...onResult('suite.approve'),
    form: Promote,
    decision: () => 'approve',
  },
  async (ctx, { run, result, form: { note, seen, look } }) => {
    await assertStored(ctx, run, [result.id]);
    const { currentVersion } = await promoteResult(ctx, result, { note, seen, look });
    return `This screenshot is now baseline version ${currentVersion}`;
  },
);

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

const Ids = many.pipe(z.array(Id));

/** `was`: who was assigned when the page was shown. What others changed since stays. */
const Assign = BackForm.extend({ user: Ids, was: Ids });

export const postAssignees = runForm(
  { path: '/runs/:id/assignees', ...onRun('suite.approve'), form: Assign },
  async (ctx, { run, form: { user, was } }) => {
    const kept = run.assignees.map(({ id }) => id).filter((id) => user.includes(id) || !was.includes(id));
    const assignees = await assignRun(ctx, run, [...kept, ...user.filter((id) => !was.includes(id))]);
    return assignees.length === 0 ? 'Assigned to nobody' : `Assigned to ${nameAssignees(assignees)}`;
  },
);

/** @param result only comments on this result, which is open */
export async function readCommentList(
  ctx: Pick<Context, 'db'>,
  run: RunFor,
  { back, result }: { back: string; result: string | null },
) {
  const { items } = await listComments(ctx, run, { limit: MAX_COMMENTS, after: null, resultId: result ?? undefined });
  const at = (id: string, what: string) => `/runs/${run.id}/comments/${id}/${what}`;
  return {
    comments: items.map((comment) => {
      const { id, author, path, viewport, resultId, createdAt, updatedAt } = comment;
      const isMine = author?.id === run.suite.viewer.id;
      const hasPlace = result === null && resultId !== null && path !== null && viewport !== null;
      return {
        ...comment,
        who: personName(author),
        isEdited: updatedAt.getTime() > createdAt.getTime() + 1000,
        about: hasPlace ? { href: resultPath(run.id, resultId), path, viewport } : null,
        edit: isMine ? at(id, 'edit') : null,
        remove: isMine ? at(id, 'delete') : null,
      };
    }),
    last: items.at(-1)?.place[0] ?? null,
    maxLength: COMMENT_MAX_LENGTH,
    action: `/runs/${run.id}/comments`,
    back,
    resultId: result,
  };
}

/** A box. Empty: the whole result. */
const Area = z
  .string()
  .refine((text) => text === '' || BOX.test(text), 'must be a box')
  .default('')
  .transform((text) => {
    if (text === '') return null;
    const { x, y, width, height } = readBox(text);
    return { x: Math.min(x, BOX_MAX), y: Math.min(y, BOX_MAX), width: Math.max(1, width), height: Math.max(1, height) };
  });

const NewComment = BackForm.extend({ body: CommentText, area: Area, resultId: Id.optional() });

export const postComment = runForm(
  { path: '/runs/:id/comments', ...onRun('suite.read'), form: NewComment },
  async (ctx, { run, form: { body, area, resultId } }) => {
    await addComment(ctx, run, { body, resultId: resultId ?? null, box: resultId === undefined ? null : area });
    return 'Comment added';
  },
);

const EditForm = BackForm.extend({ body: CommentText });

export const postEditComment = runForm(
  { path: '/runs/:id/comments/:commentId/edit', ...inRun('suite.read', { commentId: Id }), form: EditForm },
  async (ctx, { run, form: { body }, params: { commentId } }) => {
    await editComment(ctx, run, commentId, body);
    return 'Comment saved';
  },
);

export const postDeleteComment = runForm(
  { path: '/runs/:id/comments/:commentId/delete', ...inRun('suite.read', { commentId: Id }), form: BackForm },
  async (ctx, { run, params: { commentId } }) => {
    await deleteComment(ctx, run, commentId);
    return 'Comment deleted';
  },
);
