import { z } from 'zod';
import { Id, inRun, onRun } from '../../http/acts-on.ts';
import { BOX_MAX, CommentText } from '../../review/comments/comment.ts';
import {
  addComment,
  editComment,
  listComments,
  readComment,
  deleteComment as remove,
} from '../../review/comments/comments.ts';
import { actRoute, listRoute, route } from '../api-route.ts';
import { IsoDate, named, namedObject, PublicId, TimePlace, UserSummary } from '../suite-schemas.ts';

const px = (least: number) => z.int().min(least).max(BOX_MAX);

const CommentBox = named(
  'CommentBox',
  z
    .object({ x: px(0), y: px(0), width: px(1), height: px(1) })
    .describe('In px of the current screenshot of the result'),
);

const Comment = namedObject('Comment', {
  id: PublicId,
  testRunId: PublicId,
  resultId: PublicId.nullable().describe('null: the run itself'),
  path: z.string().nullable(),
  viewport: z.string().nullable(),
  body: z.string().describe('Plain text'),
  box: CommentBox.nullable(),
  author: UserSummary.nullable(),
  createdAt: IsoDate,
  updatedAt: IsoDate.describe('Later than `createdAt` when it was edited'),
});

const body = CommentText.describe('Plain text');

const AddCommentInput = named(
  'AddCommentInput',
  z.strictObject({
    body,
    resultId: Id.nullish().describe('Default: the run itself'),
    box: CommentBox.nullish().describe('A part of the result'),
  }),
);

export const getComments = listRoute(
  {
    operationId: 'listComments',
    summary: 'Comments on a run, on its results and on parts of these, oldest first',
    ...onRun('suite.read'),
    query: z.object({ resultId: Id.optional().describe('Only comments on this result') }),
    response: z.array(Comment),
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
    body: AddCommentInput,
    response: Comment,
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
    ...inRun('suite.read', { commentId: Id }),
    body: named('EditCommentInput', z.strictObject({ body })),
    response: Comment,
  },
  async (ctx, { run, params, body }) => {
    await editComment(ctx, run, params.commentId, body.body);
    return readComment(ctx, run, params.commentId);
  },
);

export const deleteComment = actRoute(
  {
    operationId: 'deleteComment',
    summary: 'Delete your own comment',
    ...inRun('suite.read', { commentId: Id }),
    done: 'Comment deleted',
  },
  async (ctx, { run, params }) => remove(ctx, run, params.commentId),
);
