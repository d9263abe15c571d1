import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { AppError, invalid } from '../../errors.ts';
import { recordEvent } from '../../events/record-event.ts';
import { hashOneTimeToken } from '../one-time-token.ts';
import { toActor } from '../to-actor.ts';
import { setPassword } from '../user-store.ts';
import type { User } from '../user.ts';
import { BCRYPT_COST, hashPassword, isPasswordAllowed, PASSWORD_RULE, requirePasswordSignIn } from './password.ts';
import { consumeResetToken } from './reset-token-store.ts';

export type ResetPasswordInput = { token: string; password: string };

/**
 * Sets a new password, once per token. Signs out every session of the account, and invalidates its other reset tokens.
 * @param bcryptCost tests pass a low one.
 * @returns whose password it is.
 * @throws AppError `validation_failed`, `invalid_reset_token` (both 400), `password_sign_in_off` (403).
 */
export async function resetPassword(
  { config, db, clock, address }: Pick<Context, 'config' | 'db' | 'clock' | 'address'>,
  { token, password }: ResetPasswordInput,
  bcryptCost = BCRYPT_COST,
): Promise<User> {
  requirePasswordSignIn({ config });
  if (!isPasswordAllowed(password)) {
    throw invalid('The password could not be changed', [{ path: 'password', message: PASSWORD_RULE }]);
  }
  // Before the transaction, because hashing takes a quarter of a second and no lock should be held that long.
  const passwordHash = await hashPassword(password, bcryptCost);
  return inTransaction(db, async (trx) => {
    const userId = await consumeResetToken(trx, hashOneTimeToken(token), clock.now());
    if (userId === null) {
      throw new AppError('invalid', 'This reset link was already used or has expired. Request a new one.', {
        code: 'invalid_reset_token',
        issues: [{ path: 'token', message: 'was already used or has expired' }],
      });
    }
    const user = await setPassword(trx, userId, passwordHash);
    await recordEvent(trx, toActor({ ...user, address }), { kind: 'password.reset', details: {} });
    return user;
  });
}
