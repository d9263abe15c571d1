import { z } from 'zod';
import { personName } from '../../../auth/user.ts';
import type { Context } from '../../../context.ts';
import { Id, inRun, onRun } from '../../../http/acts-on.ts';
import { BOX_MAX, COMMENT_MAX_LENGTH, CommentText } from '../../../review/comments/comment.ts';
import { addComment, deleteComment, editComment, listComments } from '../../../review/comments/comments.ts';
import type { RunFor } from '../../../runs/read-run.ts';
import { resultPath } from '../results/address.ts';
import { BackForm, BOX, readBox, runForm } from './run-form.ts';

/** Comments shown at once: the first ones. */
const MOST = 200;

/** @param result only comments on this result, which is open */
export async function readCommentList(
  ctx: Pick<Context, 'db'>,
  run: RunFor,
  { back, result }: { back: string; result: string | null },
) {
  const part = { limit: MOST, after: null, resultId: result ?? undefined };
  const { items, next } = await listComments(ctx, run, part);
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
    hasMore: next !== null,
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
