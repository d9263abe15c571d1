import { z } from 'zod';
import { personSql } from '../../auth/person-sql.ts';
import { countRows, readRow, readRows, type Db } from '../../db/database.ts';
import { json } from '../../db/json.ts';
import type { ListPart, TimePlace } from '../../db/list-part.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { Comment, type CommentDraft } from './comment.ts';

const CommentRow = Comment.extend({ listedAt: z.string() });

const CommentCount = z.object({ count: z.coerce.number(), last: z.string().nullable() });
type CommentCount = z.output<typeof CommentCount>;

/** Oldest first. `resultId`: only those about this result. */
export async function findComments(
  db: Db,
  runId: string,
  { limit, after, resultId = null, id = null }: ListPart<TimePlace> & Partial<Record<'resultId' | 'id', string | null>>,
): Promise<(Comment & { place: TimePlace })[]> {
  const [afterTime = null, afterId = null] = after ?? [];
  const rows = await readRows(
    db,
    CommentRow,
    `select comments.id, comments.test_run_id, page_result_id as result_id, path, viewport, body, box,
            ${personSql('users')} as author, comments.created_at, comments.updated_at,
            comments.created_at::text as listed_at
     from comments
     left join users on users.id = comments.author_id
     left join page_results on page_results.id = comments.page_result_id
     where comments.test_run_id = :runId
       and (:id::uuid is null or comments.id = :id)
       and (:resultId::uuid is null or comments.page_result_id = :resultId)
       and (:afterTime::timestamptz is null or (comments.created_at, comments.id) > (:afterTime::timestamptz, :afterId::uuid))
     order by comments.created_at, comments.id limit :limit`,
    { runId, limit, id, resultId, afterTime, afterId },
  );
  return rows.map(({ listedAt, ...comment }) => ({ ...comment, place: [listedAt, comment.id] }));
}

export async function insertComment(
  db: Db,
  runId: string,
  { resultId, body, box, authorId }: CommentDraft & { authorId: string },
): Promise<string> {
  const [row] = await db('comments')
    .insert({ test_run_id: runId, page_result_id: resultId, author_id: authorId, body, box: box && json(box) })
    .returning('id');
  return row.id;
}

export async function findAuthorOfComment(
  db: Db,
  runId: string,
  id: string,
): Promise<{ authorId: string | null } | null> {
  return db('comments').where({ test_run_id: runId, id }).first('author_id');
}

/** False if it no longer exists. */
export async function setCommentBody(db: Db, id: string, body: string): Promise<boolean> {
  const changed = await db('comments')
    .where({ id })
    .update({ body, updated_at: db.raw('clock_timestamp()') });
  return changed === 1;
}

/** False if it no longer exists. */
export async function deleteComment(db: Db, id: string): Promise<boolean> {
  return (await db('comments').where({ id }).delete()) === 1;
}

/** How many comments of a run fit the condition, and the time of its last one. */
async function countFitting(db: Db, condition: string, bindings: Record<string, string | null>): Promise<CommentCount> {
  const sql = `select count(*) filter (where ${condition}) as count, max(created_at)::text as last
    from comments where test_run_id = :runId`;
  return readRow(db, CommentCount, sql, bindings);
}

/** How many comments a result has, and the time of the last one on the run, which `readNewComments` takes. */
export async function readCommentsOn(db: Db, { id: runId }: RunFor, resultId: string | null): Promise<CommentCount> {
  return countFitting(db, 'page_result_id = :resultId::uuid', { runId, resultId });
}

export async function countComments(db: Db, runId: string): Promise<number> {
  return countRows(db('comments').where({ test_run_id: runId }));
}

/** How many comments of others came after the time, or at all, and the time of the last one on the run. */
export async function readNewComments(db: Db, run: RunFor, after: string | null): Promise<CommentCount> {
  return countFitting(
    db,
    `author_id is distinct from :viewerId::uuid
     and (:after::timestamptz is null or created_at > :after::timestamptz)`,
    { runId: run.id, viewerId: run.suite.viewer.id, after },
  );
}
