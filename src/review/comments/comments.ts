import { toActor } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { cutList, type Listed, type ListPart, type TimePlace } from '../../db/list-part.ts';
import { conflict, forbidden, invalid, notFound } from '../../errors.ts';
import { excerptOf, recordCommentChange, recordEvent } from '../../events/record-event.ts';
import { readResult, type RunFor } from '../../runs/read-run.ts';
import { aboutRun } from '../../runs/run-name.ts';
import { lockRun } from '../../runs/run-store.ts';
import * as store from './comment-store.ts';
import { BOX_MAX, MAX_COMMENTS, type Comment, type CommentDraft } from './comment.ts';

type Database = Pick<Context, 'db'>;

/** Oldest first. `resultId`: only those about this result. */
export async function listComments(
  { db }: Database,
  run: RunFor,
  part: ListPart<TimePlace> & { resultId?: string | undefined },
): Promise<Listed<Comment & { place: TimePlace }, TimePlace>> {
  const found = await store.findComments(db, run.id, {
    ...part,
    resultId: part.resultId ?? null,
    limit: part.limit + 1,
  });
  return cutList(found, part.limit, ({ place }) => place);
}

/** @throws AppError not_found, also for a comment of another run. */
export async function readComment({ db }: Database, run: RunFor, id: string): Promise<Comment> {
  const [found] = await store.findComments(db, run.id, { id, limit: 1, after: null });
  if (found === undefined) throw notFound('Comment');
  return found;
}

function assertBox({ resultId, box }: CommentDraft): void {
  if (box === null) return;
  const refuse = (message: string) => invalid('The box is not valid', [{ path: 'box', message }]);
  if (resultId === null) throw refuse('needs a result');
  if (box.x + box.width > BOX_MAX || box.y + box.height > BOX_MAX) throw refuse('must lie within a screenshot');
}

/**
 * Comments on a run, on a result, or on a box of it.
 * @throws AppError not_found for a result of another run; conflict when the run has too many comments.
 */
export async function addComment(ctx: Database, run: RunFor, draft: CommentDraft): Promise<string> {
  assertBox(draft);
  const result = draft.resultId === null ? null : await readResult(ctx, run, draft.resultId);
  return inTransaction(ctx.db, async (trx) => {
    if ((await lockRun(trx, run.id)) === null) throw notFound('Run');
    if ((await store.countComments(trx, run.id)) >= MAX_COMMENTS) {
      throw conflict('This run has the maximum number of comments', 'too_many_comments');
    }
    const comment = await store.insertComment(trx, run.id, { ...draft, authorId: run.suite.viewer.id });
    const page = result && { path: result.path, viewport: result.viewport };
    const details = { comment, result: draft.resultId, page, text: excerptOf(draft.body) };
    await recordEvent(trx, toActor(run.suite.viewer), { kind: 'comment.created', ...aboutRun(run, details) });
    return comment;
  });
}

async function requireOwn({ db }: Database, run: RunFor, id: string): Promise<void> {
  const comment = await store.findAuthorOfComment(db, run.id, id);
  if (comment === null) throw notFound('Comment');
  if (comment.authorId !== run.suite.viewer.id) throw forbidden('Only the author can change a comment');
}

/** @throws AppError forbidden for another person's comment. */
export async function editComment(ctx: Database, run: RunFor, id: string, body: string): Promise<void> {
  await requireOwn(ctx, run, id);
  await inTransaction(ctx.db, async (trx) => {
    if (!(await store.setCommentBody(trx, id, body))) throw notFound('Comment');
    await recordCommentChange(trx, { id, runId: run.id }, body);
  });
}

/** @throws AppError forbidden for another person's comment. */
export async function deleteComment(ctx: Database, run: RunFor, id: string): Promise<void> {
  await requireOwn(ctx, run, id);
  await inTransaction(ctx.db, async (trx) => {
    if (!(await store.deleteComment(trx, id))) return;
    await recordCommentChange(trx, { id, runId: run.id }, null);
    await recordEvent(trx, toActor(run.suite.viewer), { kind: 'comment.deleted', ...aboutRun(run, { comment: id }) });
  });
}
