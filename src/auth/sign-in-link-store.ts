import type { Db } from '../db/database.ts';

export type NewSignInLink = { userId: string; tokenHash: string; expiresAt: Date };

/** Stores the account's current session version with the link. Returns false when the account was deleted. */
export async function insertSignInLink(db: Db, { userId, tokenHash, expiresAt }: NewSignInLink): Promise<boolean> {
  const { rowCount } = await db.raw(
    `insert into sign_in_links (user_id, session_version, token_hash, expires_at)
     select id, session_version, :tokenHash, :expiresAt from users where id = :userId`,
    { userId, tokenHash, expiresAt },
  );
  return rowCount === 1;
}

/** Expired links are useless. They are deleted when their account requests a new one. */
export async function deleteLapsedSignInLinks(db: Db, userId: string, now: Date): Promise<void> {
  await db('sign_in_links').where({ user_id: userId }).where('expires_at', '<=', now).delete();
}

/** Deletes the link, so that of two calls with one token only one gets it. Null: unknown, expired or used. */
export async function consumeSignInLink(
  db: Db,
  tokenHash: string,
  now: Date,
): Promise<{ userId: string; sessionVersion: number } | null> {
  const [consumed] = await db('sign_in_links')
    .where({ token_hash: tokenHash })
    .where('expires_at', '>', now)
    .delete(['user_id', 'session_version']);
  return consumed ?? null;
}
