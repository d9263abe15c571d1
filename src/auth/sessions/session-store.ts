import { toColumns } from '../../db/camel-case.ts';
import { computed, prepared, qualified, type Db } from '../../db/database.ts';
import type { PreferenceChange } from '../preferences.ts';
import { USER_COLUMNS, type User } from '../user.ts';
import type { SignedInSession, TokenSubject } from './session.ts';

export type NewSession = { userId: string; sessionVersion: number; createdAt: Date; expiresAt: Date };

/** Valid sessions, joined with their account. */
function alive(db: Db, now: Date) {
  return db('sessions')
    .join('users', 'users.id', 'sessions.user_id')
    .whereRaw('sessions.session_version = users.session_version')
    .where({ 'users.disabled_at': null })
    .where('sessions.expires_at', '>', now);
}

export async function insertSession(db: Db, session: NewSession): Promise<string> {
  const [row] = await db('sessions').insert(toColumns(session)).returning('id');
  return row.id;
}

/** False: it has ended. */
export async function extendSession(db: Db, id: string, expiresAt: Date): Promise<boolean> {
  return (await db('sessions').where({ id }).update({ expires_at: expiresAt })) === 1;
}

/** Expired and signed-out sessions are useless. They are deleted when their account signs in again. */
export async function deleteLapsedSessions(db: Db, userId: string, now: Date): Promise<void> {
  const kept = alive(db, now).where({ 'sessions.user_id': userId }).select('sessions.id');
  await db('sessions').where({ user_id: userId }).whereNotIn('id', kept).delete();
}

/** The session's account with its preferences, and when the session was last used. Null: it has ended. */
export async function findSession(
  db: Db,
  { sessionId, userId, sessionVersion }: TokenSubject,
): Promise<{ user: User; preferences: PreferenceChange; lastSeenAt: Date | null } | null> {
  const session = db('sessions').join('users', 'users.id', 'sessions.user_id').where({
    'sessions.id': sessionId,
    'users.id': userId,
    'users.session_version': sessionVersion,
    'users.disabled_at': null,
  });
  const row = await prepared(db, 'session', session).first(
    ...qualified('users', USER_COLUMNS),
    'users.preferences',
    'sessions.last_seen_at',
  );
  if (row === null) return null;
  const { preferences, lastSeenAt, ...user } = row;
  return { user, preferences, lastSeenAt };
}

export async function markSeen(db: Db, sessionId: string, at: Date, userAgent: string | null): Promise<void> {
  await db('sessions').where({ id: sessionId }).update({ last_seen_at: at, user_agent: userAgent });
}

/** The most recently used first, and how many there are. */
export async function findSessions(
  db: Db,
  userId: string,
  now: Date,
  limit: number,
): Promise<{ sessions: SignedInSession[]; total: number }> {
  const rows = await alive(db, now)
    .where({ 'sessions.user_id': userId })
    .orderByRaw('sessions.last_seen_at desc nulls last, sessions.created_at desc, sessions.id')
    .limit(limit)
    .select(
      'sessions.id',
      'sessions.user_agent',
      'sessions.created_at',
      'sessions.last_seen_at',
      computed(db, 'total', 'bigint', 'count(*) over ()'),
    );
  return {
    total: rows[0]?.total ?? 0,
    sessions: rows.map(({ id, userAgent, createdAt, lastSeenAt }) => ({ id, userAgent, createdAt, lastSeenAt })),
  };
}

/** False: the account has no such session. */
export async function deleteSession(db: Db, userId: string, id: string): Promise<boolean> {
  return (await db('sessions').where({ user_id: userId, id }).delete()) === 1;
}

export async function deleteOtherSessions(db: Db, userId: string, keptId: string): Promise<number> {
  return db('sessions').where({ user_id: userId }).whereNot({ id: keptId }).delete();
}
