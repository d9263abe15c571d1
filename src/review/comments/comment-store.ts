import { z } from 'zod';
import type { Db } from '../../db/database.ts';
import { json } from '../../db/json.ts';
import type { ListPart, TimePlace } from '../../db/list-part.ts';
import { readRows } from '../../db/read-rows.ts';
import type { Comment, CommentDraft } from './comment.ts';

const Box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

const CommentRow = z.object({
  id: z.uuid(),
  testRunId: z.uuid(),
  resultId: z.uuid().nullable(),
  path: z.string().nullable(),
  viewport: z.string().nullable(),
  body: z.string(),
  box: Box.nullable(),
  authorId: z.uuid().nullable(),
  authorName: z.string().nullable(),
  authorEmail: z.string().nullable(),
  authorImage: z.string().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
  listedAt: z.string(),
});

const CommentCount = z.object({ count: z.coerce.number(), last: z.string().nullable() });

/** Oldest first. `resultId`: only those about this result. */
export async function findComments(
  db: Db,
  runId: string,
  { limit, after, resultId, id }: ListPart<TimePlace> & { resultId?: string | undefined; id?: string },
): Promise<(Comment & { place: TimePlace })[]> {
  const conditions = [
    ...(id === undefined ? [] : ['and comments.id = :id']),
    ...(resultId === undefined ? [] : ['and comments.page_result_id = :resultId']),
    ...(after === null ? [] : ['and (comments.created_at, comments.id) > (:afterTime::timestamptz, :afterId::uuid)']),
  ];
  const rows = await readRows(
    db,
    CommentRow,
    `select comments.id, comments.test_run_id, page_result_id as result_id, path, viewport, body, box, author_id,
            users.name as author_name, users.email as author_email, users.image as author_image,
            comments.created_at, comments.updated_at, comments.created_at::text as listed_at
     from comments
     left join users on users.id = comments.author_id
     left join page_results on page_results.id = comments.page_result_id
     where comments.test_run_id = :runId ${conditions.join(' ')}
     order by comments.created_at, comments.id limit :limit`,
    {
      runId,
      limit,
      ...(id === undefined ? {} : { id }),
      ...(resultId === undefined ? {} : { resultId }),
      ...(after === null ? {} : { afterTime: after[0], afterId: after[1] }),
    },
  );
  return rows.map(({ authorId: id, authorName: name, authorEmail: email, authorImage: image, listedAt, ...row }) => ({
    ...row,
    author: id === null ? null : { id, name, email, image },
    place: [listedAt, row.id],
  }));
}

export async function insertComment(
  db: Db,
  runId: string,
  { resultId, body, box, authorId }: CommentDraft & { authorId: string },
): Promise<string> {
  const [row] = await db('comments')
    .insert({ test_run_id: runId, page_result_id: resultId, author_id: authorId, body, box: box && json(box) })
    .returning('id');
  if (row === undefined) throw new Error('The insert of a comment returned no row');
  return row.id;
}

export async function findAuthorOfComment(
  db: Db,
  runId: string,
  id: string,
): Promise<{ authorId: string | null } | null> {
  return (await db('comments').where({ test_run_id: runId, id }).first('author_id')) ?? null;
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

/** How many comments a result has, and the time of the last one on the run. */
export async function countCommentsOn(
  db: Db,
  runId: string,
  resultId: string | null,
): Promise<{ count: number; last: string | null }> {
  const [row] = await readRows(
    db,
    CommentCount,
    `select count(*) filter (where page_result_id = :resultId::uuid) as count, max(created_at)::text as last
     from comments where test_run_id = :runId`,
    { runId, resultId },
  );
  return row ?? { count: 0, last: null };
}

export async function countComments(db: Db, runId: string): Promise<number> {
  const row = await db('comments').where({ test_run_id: runId }).count({ count: '*' }).first();
  return row?.count ?? 0;
}

export async function countCommentsOfOthersAfter(
  db: Db,
  runId: string,
  { viewerId, after }: { viewerId: string; after: string | null },
): Promise<{ count: number; last: string | null }> {
  const [row] = await readRows(
    db,
    CommentCount,
    `select count(*) filter (where author_id is distinct from :viewerId::uuid
              and (:after::timestamptz is null or created_at > :after::timestamptz)) as count,
            max(created_at)::text as last
     from comments where test_run_id = :runId`,
    { runId, viewerId, after },
  );
  return row ?? { count: 0, last: null };
}
