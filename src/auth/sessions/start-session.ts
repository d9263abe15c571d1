import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { forbidden, notFound, type AppError } from '../../errors.ts';
import { recordEvent } from '../../events/record-event.ts';
import { requireJwtSecret } from '../jwt-secret.ts';
import { hashOneTimeToken } from '../one-time-token.ts';
import { readPreferences } from '../preferences.ts';
import { findTokenViewer } from '../tokens/api-token-store.ts';
import { isApiToken, readWorkflowToken, WORKFLOW_PREFIX } from '../tokens/api-token.ts';
import { findIdentity, type Identity } from '../user-store.ts';
import { toActor, type User, type Viewer } from '../user.ts';
import {
  deleteLapsedSessions,
  deleteOtherSessions,
  deleteSession,
  extendSession,
  findSession,
  findSessions,
  insertSession,
  markSeen,
} from './session-store.ts';
import {
  issueToken,
  LISTED_SESSIONS,
  readToken,
  SEEN_EVERY_MS,
  USER_AGENT_MAX_LENGTH,
  type SignedInSession,
} from './session.ts';

/** The answer to login and registration. The token is for the cookie, and for clients without cookies. */
export type Session = { user: User; token: string };

type SessionContext = Pick<Context, 'config' | 'db' | 'clock' | 'address'>;

/** Signs the account in, and records it. */
export async function startSession(ctx: SessionContext, identity: Identity): Promise<Session> {
  return inTransaction(ctx.db, async (trx) => {
    const actor = toActor({ ...identity.user, address: ctx.address });
    await recordEvent(trx, actor, { kind: 'sign_in.succeeded', details: {} });
    return openSession({ ...ctx, db: trx }, identity);
  });
}

/**
 * Signs the account in: creates a session, which its owner can see and end, and a token for it.
 * @param continued the browser's own session, which continues instead of a new one
 * @throws AppError forbidden `account_disabled`
 */
export async function openSession(
  { config, db, clock }: SessionContext,
  { user, sessionVersion, isDisabled }: Identity,
  continued?: string,
): Promise<Session> {
  if (isDisabled) throw accountDisabled();
  const now = clock.now();
  await deleteLapsedSessions(db, user.id, now);
  const expiresAt = new Date(now.getTime() + config.sessionTtl);
  const goesOn = continued !== undefined && (await extendSession(db, continued, expiresAt));
  const sessionId = goesOn
    ? continued
    : await insertSession(db, { userId: user.id, sessionVersion, createdAt: now, expiresAt });
  const subject = { userId: user.id, sessionVersion, sessionId };
  return { user, token: issueToken(requireJwtSecret(config), subject, config.sessionTtl, now) };
}

export function accountDisabled(): AppError {
  return forbidden('This account is disabled. Ask an administrator of this installation.', 'account_disabled');
}

/** Where the viewer is signed in, the most recently used session first, at most `LISTED_SESSIONS` of `total`. */
export async function readSessions(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  viewer: Viewer,
): Promise<{ sessions: SignedInSession[]; total: number }> {
  return findSessions(db, viewer.id, clock.now(), LISTED_SESSIONS);
}

/** Ends one of the viewer's sessions. @throws AppError not_found */
export async function endSession({ db }: Pick<Context, 'db'>, viewer: Viewer, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    if (!(await deleteSession(trx, viewer.id, id))) throw notFound('Session');
    await recordEvent(trx, toActor(viewer), { kind: 'session.ended', details: { sessions: 1 } });
  });
}

/**
 * Ends every session of the viewer except that of this request. API tokens keep working.
 * @returns how many
 * @throws AppError forbidden when the request came with an API token, which has no session.
 */
export async function endOtherSessions({ db }: Pick<Context, 'db'>, viewer: Viewer): Promise<number> {
  const { id, sessionId } = viewer;
  if (sessionId === undefined) throw forbidden('An API token has no session', 'no_session');
  return inTransaction(db, async (trx) => {
    const sessions = await deleteOtherSessions(trx, id, sessionId);
    if (sessions > 0) await recordEvent(trx, toActor(viewer), { kind: 'session.ended', details: { sessions } });
    return sessions;
  });
}

/** Ends the session of a browser that signs out. An invalid token has none. */
export async function endSessionOf(
  { db, config, clock }: Pick<Context, 'db' | 'config' | 'clock'>,
  token: string | null,
): Promise<void> {
  const subject = token === null ? null : readToken(requireJwtSecret(config), token, clock.now());
  if (subject !== null) await deleteSession(db, subject.userId, subject.sessionId);
}

/**
 * The viewer by the token of a session or an API token. Null: no valid token, or one that a password reset or its owner
 * has signed out.
 * @param userAgent how the client identifies itself; the session stores it, so that its owner can see it
 */
export async function findViewer(
  { config, db, clock }: Pick<Context, 'config' | 'db' | 'clock'>,
  token: string | null,
  userAgent: string | null = null,
): Promise<Viewer | null> {
  if (token?.startsWith(WORKFLOW_PREFIX)) return findWorkflowViewer({ config, db, clock }, token);
  if (token !== null && isApiToken(token)) return findTokenViewer(db, hashOneTimeToken(token), clock.now());
  return token === null ? null : findSessionViewer({ config, db, clock }, token, userAgent);
}

async function findSessionViewer(
  { config, db, clock }: Pick<Context, 'config' | 'db' | 'clock'>,
  token: string,
  userAgent: string | null,
): Promise<Viewer | null> {
  const now = clock.now();
  const subject = readToken(requireJwtSecret(config), token, now);
  const found = subject === null ? null : await findSession(db, subject);
  if (subject === null || found === null) return null;
  const { sessionId } = subject;
  const seenAt = found.lastSeenAt?.getTime() ?? -Infinity;
  if (now.getTime() - seenAt >= SEEN_EVERY_MS) {
    await markSeen(db, sessionId, now, userAgent?.slice(0, USER_AGENT_MAX_LENGTH) ?? null);
  }
  return { ...found.user, sessionId, preferences: readPreferences(found.preferences) };
}

async function findWorkflowViewer(
  { config, db, clock }: Pick<Context, 'config' | 'db' | 'clock'>,
  token: string,
): Promise<Viewer | null> {
  const grant = readWorkflowToken(requireJwtSecret(config), token, clock.now());
  if (grant === null) return null;
  const identity = await findIdentity(db, grant.userId);
  return identity === null || identity.isDisabled ? null : { ...identity.user, within: grant.within };
}
