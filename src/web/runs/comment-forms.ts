import { z } from 'zod';
import { BOX_MAX, COMMENT_MAX_LENGTH } from '../../review/comments/comment.ts';
import { addComment, deleteComment, editComment } from '../../review/comments/comments.ts';
import { getRunFor } from '../../runs/read-run.ts';
import { tooLong } from '../../text/trimmed-text.ts';
import { redirect } from '../reply.ts';
import { Id } from '../form-values.ts';
import { formRoute } from '../web-route.ts';
import { backTo } from './back.ts';
import { RunParams } from './run-page.ts';

const Body = z.string().trim().min(1, 'must not be empty').max(COMMENT_MAX_LENGTH, tooLong(COMMENT_MAX_LENGTH));

/** `box 10,20,300,40`: x, y, width and height in px of the screenshot. Empty: the whole result. */
const Area = z
  .string()
  .regex(/^(?:box \d{1,6},\d{1,6},\d{1,6},\d{1,6})?$/, 'must be a box')
  .default('')
  .transform((text) => {
    if (text === '') return null;
    const [x = 0, y = 0, width = 0, height = 0] = text.slice('box '.length).split(',').map(Number);
    return { x: Math.min(x, BOX_MAX), y: Math.min(y, BOX_MAX), width: Math.max(1, width), height: Math.max(1, height) };
  });

const back = z.string().optional();

export const postComment = formRoute(
  {
    path: '/runs/:id/comments',
    params: RunParams,
    form: z.object({ body: Body, area: Area, resultId: Id.optional(), back }),
  },
  async (ctx, { viewer, params, form }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.read');
    const { body, area, resultId } = form;
    await addComment(ctx, run, { body, resultId: resultId ?? null, box: resultId === undefined ? null : area });
    return redirect(backTo(form.back, params.id), 'Comment added');
  },
);

const CommentParams = z.object({ id: Id, commentId: Id });

export const postEditComment = formRoute(
  { path: '/runs/:id/comments/:commentId/edit', params: CommentParams, form: z.object({ body: Body, back }) },
  async (ctx, { viewer, params, form }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.read');
    await editComment(ctx, run, params.commentId, form.body);
    return redirect(backTo(form.back, params.id), 'Comment saved');
  },
);

export const postDeleteComment = formRoute(
  { path: '/runs/:id/comments/:commentId/delete', params: CommentParams, form: z.object({ back }) },
  async (ctx, { viewer, params, form }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.read');
    await deleteComment(ctx, run, params.commentId);
    return redirect(backTo(form.back, params.id), 'Comment deleted');
  },
);
