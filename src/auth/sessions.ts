import type { Context } from '../context.ts';
import { forbidden, notFound } from '../errors.ts';
import { requireJwtSecret } from './jwt-secret.ts';
import { LISTED_SESSIONS } from './session.ts';
import type { SignedInSession } from './session.ts';
import { deleteOtherSessions, deleteSession, findSessions } from './session-store.ts';
import { readToken } from './session-token.ts';
import type { Viewer } from './viewer.ts';

/** Where the viewer is signed in, the most recently used session first, at most `LISTED_SESSIONS` of `total`. */
export async function readSessions(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  viewer: Viewer,
): Promise<{ sessions: SignedInSession[]; total: number }> {
  return findSessions(db, viewer.id, clock.now(), LISTED_SESSIONS);
}

/** Ends one of the viewer's sessions. @throws AppError not_found */
export async function endSession({ db }: Pick<Context, 'db'>, viewer: Viewer, id: string): Promise<void> {
  if (!(await deleteSession(db, viewer.id, id))) throw notFound('Session');
}

/**
 * Ends every session of the viewer except that of this request. API tokens keep working.
 * @returns how many
 * @throws AppError forbidden when the request came with an API token, which has no session.
 */
export async function endOtherSessions({ db }: Pick<Context, 'db'>, viewer: Viewer): Promise<number> {
  if (viewer.sessionId === undefined) throw forbidden('An API token has no session', 'no_session');
  return deleteOtherSessions(db, viewer.id, viewer.sessionId);
}

/** Ends the session of a browser that signs out. An invalid token has none. */
export async function endSessionOf(
  { db, config, clock }: Pick<Context, 'db' | 'config' | 'clock'>,
  token: string | null,
): Promise<void> {
  const subject = token === null ? null : readToken(requireJwtSecret(config), token, clock.now());
  if (subject !== null) await deleteSession(db, subject.userId, subject.sessionId);
}
