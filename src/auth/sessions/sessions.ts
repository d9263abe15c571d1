import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { forbidden, notFound } from '../../errors.ts';
import { recordEvent } from '../../events/record-event.ts';
import { requireJwtSecret } from '../jwt-secret.ts';
import { toActor } from '../to-actor.ts';
import type { Viewer } from '../viewer.ts';
import { deleteOtherSessions, deleteSession, findSessions } from './session-store.ts';
import { readToken } from './session-token.ts';
import { LISTED_SESSIONS, type SignedInSession } from './session.ts';

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
