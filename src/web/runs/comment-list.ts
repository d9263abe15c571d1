import type { Region } from '../../compare/region.ts';
import type { Context } from '../../context.ts';
import { COMMENT_MAX_LENGTH } from '../../review/comments/comment.ts';
import { listComments } from '../../review/comments/comments.ts';
import { personName } from '../../review/verdicts/verdict.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { resultPath } from './result-filter.ts';

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
