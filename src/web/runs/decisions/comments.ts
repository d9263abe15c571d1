import type { Region } from '../../../compare/region.ts';
import type { Context } from '../../../context.ts';
import { COMMENT_MAX_LENGTH, BOX_MAX } from '../../../review/comments/comment.ts';
import { listComments, addComment, deleteComment, editComment } from '../../../review/comments/comments.ts';
import { personName } from '../../../review/verdicts/verdict.ts';
import type { RunFor } from '../../../runs/read-run.ts';
import { resultPath, backTo, RunParams } from '../results/address.ts';
import { z } from 'zod';
import { getRunFor } from '../../../runs/read-run.ts';
import { tooLong } from '../../../text/trimmed-text.ts';
import { redirect } from '../../reply.ts';
import { Id } from '../../form-values.ts';
import { formRoute } from '../../web-route.ts';

/** Comments shown at once: the first ones. */
const MOST = 200;

/** What the partial `comments` prints. */
export type CommentList = {
  comments: {
    id: string;
    who: string;
    at: Date;
    isEdited: boolean;
    body: string;
    box: Region | null;
    /** The result, in a list of the whole run. */
    about: { href: string; path: string; viewport: string } | null;
    /** URLs of the forms of its author. */
    edit: string | null;
    remove: string | null;
  }[];
  hasMore: boolean;
  /** The time of the last one listed, as the database prints it. Null if there is none. */
  last: string | null;
  maxLength: number;
  action: string;
  back: string;
  resultId: string | null;
};

/** @param result only comments on this result, which is open */
export async function readCommentList(
  ctx: Pick<Context, 'db'>,
  run: RunFor,
  { back, result }: { back: string; result: string | null },
): Promise<CommentList> {
  const part = { limit: MOST, after: null, resultId: result ?? undefined };
  const { items, next } = await listComments(ctx, run, part);
  const at = (id: string, what: string) => `/runs/${run.id}/comments/${id}/${what}`;
  return {
    comments: items.map(({ id, author, body, box, path, viewport, resultId, createdAt, updatedAt }) => {
      const isMine = author?.id === run.suite.viewer.id;
      const hasPlace = result === null && resultId !== null && path !== null && viewport !== null;
      return {
        id,
        who: personName(author),
        at: createdAt,
        isEdited: updatedAt.getTime() > createdAt.getTime() + 1000,
        body,
        box,
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
