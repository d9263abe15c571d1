import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { invalid, unauthenticated } from '../../errors.ts';
import { recordEvent } from '../../events/record-event.ts';
import { openSession } from '../sessions/start-session.ts';
import { toActor } from '../to-actor.ts';
import { findCredentialsById, replacePassword, type Credentials } from '../user-store.ts';
import type { Viewer } from '../viewer.ts';
import {
  BCRYPT_COST,
  hashPassword,
  isPasswordAllowed,
  PASSWORD_RULE,
  requirePasswordSignIn,
  verifyPassword,
} from './password.ts';
import { deleteResetTokens } from './reset-token-store.ts';

const refused = (path: string, message: string) => invalid('The password could not be changed', [{ path, message }]);

async function verified({ db }: Pick<Context, 'db'>, viewer: Viewer, current: string): Promise<Credentials> {
  const credentials = await findCredentialsById(db, viewer.id);
  if (credentials === null) throw unauthenticated();
  if (credentials.passwordHash === null) {
    throw refused('current', 'is not set. To set one, request a reset link with “Forgot password”');
  }
  if (!(await verifyPassword(current, credentials.passwordHash))) throw refused('current', 'is incorrect');
  return credentials;
}

/**
 * Sets a new password. Signs out every session of the account, and invalidates its open reset and sign-in links.
 * @param bcryptCost tests pass a low one.
 * @returns a token for the browser that sent the request.
 * @throws AppError `validation_failed` (400) with an issue at `password` or `current`; unauthenticated when the
 * sessions were signed out in the meantime.
 */
export async function changePassword(
  ctx: Pick<Context, 'config' | 'db' | 'clock'>,
  viewer: Viewer,
  { current, password }: { current: string; password: string },
  bcryptCost = BCRYPT_COST,
): Promise<{ token: string }> {
  requirePasswordSignIn(ctx);
  if (!isPasswordAllowed(password)) throw refused('password', PASSWORD_RULE);
  const credentials = await verified(ctx, viewer, current);
  // Before the transaction, because hashing takes a quarter of a second and no lock should be held that long.
  const passwordHash = await hashPassword(password, bcryptCost);
  const identity = await inTransaction(ctx.db, async (trx) => {
    const changed = await replacePassword(trx, credentials, passwordHash);
    if (changed === null) return null;
    await deleteResetTokens(trx, viewer.id);
    await recordEvent(trx, toActor(viewer), { kind: 'password.changed', details: {} });
    return changed;
  });
  if (identity === null) throw unauthenticated();
  const { token } = await openSession(ctx, identity);
  return { token };
}
