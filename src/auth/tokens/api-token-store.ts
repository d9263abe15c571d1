import { toColumns } from '../../db/camel-case.ts';
import { lockByName, notNull, qualified, type Db } from '../../db/database.ts';
import { personColumn } from '../person-sql.ts';
import { TOKEN_SCOPES, USER_COLUMNS, type TokenScope, type Viewer } from '../user.ts';
import type { ApiToken } from './api-token.ts';

/** Whose tokens: a person's own ones, or those of a suite. */
export type TokenHolder = { userId: string } | { testSuiteId: string };

export type NewToken = {
  userId: string;
  testSuiteId: string | null;
  name: string;
  scopes: readonly TokenScope[] | null;
  /** The person's current session version, in a token of their own; null in one of a suite. */
  sessionVersion: number | null;
  tokenHash: string;
  expiresAt: Date;
};

/** How often the time of the last use is updated at most. */
const LAST_USE = "interval '1 minute'";

const columns = (holder: TokenHolder) =>
  'testSuiteId' in holder ? { test_suite_id: holder.testSuiteId } : { user_id: holder.userId, test_suite_id: null };

function readScopes(stored: string[] | null): TokenScope[] | null {
  return stored === null ? null : TOKEN_SCOPES.filter((scope) => stored.includes(scope));
}

function tokensOf(db: Db, holder: TokenHolder) {
  const tokens = db('api_tokens').join('users', 'users.id', 'api_tokens.user_id');
  if ('testSuiteId' in holder) return tokens.where({ 'api_tokens.test_suite_id': holder.testSuiteId });
  return tokens
    .where({ 'api_tokens.user_id': holder.userId, 'api_tokens.test_suite_id': null })
    .whereRaw('api_tokens.session_version = users.session_version');
}

/** Until the transaction ends, this holder gets no other token. */
export async function lockTokens(trx: Db, holder: TokenHolder): Promise<void> {
  await lockByName(trx, 'tokens', 'testSuiteId' in holder ? holder.testSuiteId : holder.userId);
}

/** Newest first. Without those that have expired or were signed out. */
export async function listTokens(db: Db, holder: TokenHolder, now: Date): Promise<ApiToken[]> {
  const rows = await tokensOf(db, holder)
    .where('api_tokens.expires_at', '>', now)
    .orderBy([{ column: 'api_tokens.created_at', order: 'desc' }, 'api_tokens.id'])
    .select(
      'api_tokens.id',
      'api_tokens.name',
      'api_tokens.test_suite_id',
      'api_tokens.scopes',
      'api_tokens.expires_at',
      'api_tokens.last_used_at',
      'api_tokens.created_at',
      personColumn(db, 'owner', 'users'),
    );
  return rows.map((token) => ({ ...notNull(token, 'owner'), scopes: readScopes(token.scopes) }));
}

/** Expired and signed-out tokens are useless. They are deleted when their holder gets a new one. */
export async function deleteLapsedTokens(db: Db, holder: TokenHolder, now: Date): Promise<void> {
  const alive = tokensOf(db, holder).where('api_tokens.expires_at', '>', now).select('api_tokens.id');
  await db('api_tokens').where(columns(holder)).whereNotIn('id', alive).delete();
}

export async function insertToken(db: Db, token: NewToken): Promise<string> {
  const [row] = await db('api_tokens')
    .insert({ ...toColumns(token), scopes: token.scopes && [...token.scopes] })
    .returning('id');
  return row.id;
}

/** Returns its name. Null: the holder has no such token. */
export async function deleteToken(db: Db, holder: TokenHolder, id: string): Promise<string | null> {
  const [deleted] = await db('api_tokens').where(columns(holder)).where({ id }).delete(['name']);
  return deleted?.name ?? null;
}

/** The caller with this token. Records that it was used. Null: unknown, expired, or signed out. */
export async function findTokenViewer(db: Db, tokenHash: string, now: Date): Promise<Viewer | null> {
  const row = await db('api_tokens')
    .join('users', 'users.id', 'api_tokens.user_id')
    .where({ token_hash: tokenHash, 'users.disabled_at': null })
    .where('api_tokens.expires_at', '>', now)
    .whereRaw('coalesce(api_tokens.session_version, users.session_version) = users.session_version')
    .first(
      'api_tokens.id as token_id',
      'api_tokens.test_suite_id',
      'api_tokens.scopes',
      'api_tokens.name as token_name',
      ...qualified('users', USER_COLUMNS),
    );
  if (row === null) return null;
  const { tokenId, testSuiteId, scopes, ...viewer } = row;
  await db('api_tokens')
    .where({ id: tokenId })
    .whereRaw(`coalesce(last_used_at, '-infinity') < ?::timestamptz - ${LAST_USE}`, [now])
    .update({ last_used_at: now });
  return testSuiteId === null
    ? viewer
    : { ...viewer, within: { suiteId: testSuiteId, scopes: readScopes(scopes) ?? [] } };
}
