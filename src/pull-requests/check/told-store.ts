import type { Db } from '../../db/database.ts';
import { json } from '../../db/json.ts';
import type { PullRequestKey } from '../../runs/run.ts';
import type { CommentShown, SummaryShown } from './told-on-pull-request.ts';

const toKey = ({ owner, repo, number }: PullRequestKey) => ({ owner, repo, number });

export async function findTold(
  db: Db,
  key: PullRequestKey,
): Promise<{ comment: CommentShown | null; summary: SummaryShown | null }> {
  const row = await db('pull_requests').where(toKey(key)).first('comment_shown as comment', 'summary_shown as summary');
  return row ?? { comment: null, summary: null };
}

export async function saveComment(db: Db, key: PullRequestKey, shown: CommentShown): Promise<void> {
  await db('pull_requests')
    .where(toKey(key))
    .update({ comment_shown: json(shown) });
}

export async function saveSummary(db: Db, key: PullRequestKey, shown: SummaryShown): Promise<void> {
  await db('pull_requests')
    .where(toKey(key))
    .update({ summary_shown: json(shown) });
}
