import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { forbidden } from '../errors.ts';
import type { SignInBy } from '../events/account-events.ts';
import { recordEvent } from '../events/record-event.ts';
import { requireJwtSecret } from './jwt-secret.ts';
import { deleteLapsedSessions, extendSession, insertSession } from './session-store.ts';
import { issueToken } from './session-token.ts';
import { toActor } from './to-actor.ts';
import type { Identity } from './user-store.ts';
import type { User } from './user.ts';

/** The answer to login and registration. The token is for the cookie, and for clients without cookies. */
export type Session = { user: User; token: string };

/** How the account signs in, and from where. */
type SignIn = { by: SignInBy; address: string | null };

/**
 * Signs the account in: creates a session, which its owner can see and end, and a token for it.
 * @param signIn what is recorded; null: the account was signed in already
 * @param continued the browser's own session, which continues instead of a new one
 * @throws AppError forbidden `account_disabled`
 */
export async function startSession(
  { config, db, clock }: Pick<Context, 'config' | 'db' | 'clock'>,
  { user, sessionVersion, isDisabled }: Identity,
  signIn: SignIn | null,
  continued?: string,
): Promise<Session> {
  if (isDisabled) throw accountDisabled();
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + config.sessionTtl);
  const sessionId = await inTransaction(db, async (trx) => {
    await deleteLapsedSessions(trx, user.id, now);
    if (continued !== undefined && (await extendSession(trx, continued, expiresAt))) return continued;
    if (signIn !== null) await recordSignIn(trx, user, signIn);
    return insertSession(trx, { userId: user.id, sessionVersion, createdAt: now, expiresAt });
  });
  const subject = { userId: user.id, sessionVersion, sessionId };
  return { user, token: issueToken(requireJwtSecret(config), subject, config.sessionTtl, now) };
}

export const accountDisabled = () =>
  forbidden('This account is disabled. Ask an administrator of this installation.', 'account_disabled');

async function recordSignIn(trx: Db, user: User, { by, address }: SignIn): Promise<void> {
  const actor = toActor(address === null ? user : { ...user, address });
  await recordEvent(trx, actor, { kind: 'account.signed_in', details: { by } });
}
