import { z } from 'zod';
import { onRun } from '../../http/acts-on.ts';
import {
  addComment,
  editComment,
  listComments,
  readComment,
  deleteComment as remove,
} from '../../review/comments/comments.ts';
import { listRoute, route } from '../api-route.ts';
import { MessageResponse, TimePlace } from '../schemas/common-schemas.ts';
import * as shapes from '../schemas/verdict-schemas.ts';

export const getComments = listRoute(
  {
    operationId: 'listComments',
    summary: 'Comments on a run, on its results and on parts of these, oldest first',
    ...onRun('suite.read'),
    query: shapes.ListCommentsQuery,
    response: z.array(shapes.Comment),
    list: { most: 1000, place: TimePlace },
  },
  async (ctx, { run, query, part }) => listComments(ctx, run, { ...part, resultId: query.resultId }),
);

export const postComment = route(
  {
    operationId: 'addComment',
    summary: 'Comment on a run, on a result, or on a part of it',
    status: 201,
    ...onRun('suite.read'),
    body: shapes.AddCommentInput,
    response: shapes.Comment,
    failures: { 409: 'The run has 1,000 comments' },
  },
  async (ctx, { run, body }) => {
    const draft = { body: body.body, resultId: body.resultId ?? null, box: body.box ?? null };
    return readComment(ctx, run, await addComment(ctx, run, draft));
  },
);

export const patchComment = route(
  {
    operationId: 'editComment',
    summary: 'Edit your own comment',
    ...onRun('suite.read'),
    params: shapes.CommentParams,
    body: shapes.EditCommentInput,
    response: shapes.Comment,
  },
  async (ctx, { run, params, body }) => {
    await editComment(ctx, run, params.commentId, body.body);
    return readComment(ctx, run, params.commentId);
  },
);

export const deleteComment = route(
  {
    operationId: 'deleteComment',
    summary: 'Delete your own comment',
    ...onRun('suite.read'),
    params: shapes.CommentParams,
    response: MessageResponse,
  },
  async (ctx, { run, params }) => {
    await remove(ctx, run, params.commentId);
    return { message: 'Comment deleted' };
  },
);
