import { toColumns } from '../db/camel-case.ts';
import { countRows, type Db } from '../db/database.ts';

type NewResetToken = { userId: string; tokenHash: string; expiresAt: Date };

export async function insertResetToken(db: Db, token: NewResetToken): Promise<void> {
  await db('password_reset_tokens').insert(toColumns(token));
}

/** Expired tokens are useless. They are deleted when their account requests a new one. */
export async function deleteLapsedResetTokens(db: Db, userId: string, now: Date): Promise<void> {
  await db('password_reset_tokens').where({ user_id: userId }).where('expires_at', '<=', now).delete();
}

export async function countResetTokens(db: Db, userId: string): Promise<number> {
  return countRows(db('password_reset_tokens').where({ user_id: userId }));
}

/** After the owner has changed the password, a reset link that was requested earlier must not change it again. */
export async function deleteResetTokens(db: Db, userId: string): Promise<void> {
  await db('password_reset_tokens').where({ user_id: userId }).delete();
}

/**
 * Consumes the token and every other token of its account in one statement. If two calls come at the same moment, with
 * the same token or with two tokens of the same account, only one gets the user id. Null: unknown, expired or used.
 */
export async function consumeResetToken(db: Db, tokenHash: string, now: Date): Promise<string | null> {
  const owner = db('password_reset_tokens')
    .where({ token_hash: tokenHash })
    .where('expires_at', '>', now)
    .select('user_id');
  const consumed = await db('password_reset_tokens').whereIn('user_id', owner).delete(['user_id', 'token_hash']);
  return consumed.find((token) => token.tokenHash === tokenHash)?.userId ?? null;
}

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
