import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { forbidden, type AppError } from '../../errors.ts';
import { recordEvent } from '../../events/record-event.ts';
import { requireJwtSecret } from '../jwt-secret.ts';
import { toActor } from '../to-actor.ts';
import type { Identity } from '../user-store.ts';
import type { User } from '../user.ts';
import { deleteLapsedSessions, extendSession, insertSession } from './session-store.ts';
import { issueToken } from './session-token.ts';

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
