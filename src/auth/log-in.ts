import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { isEmailAllowed } from './email.ts';
import { requirePasswordSignIn } from './password-sign-in.ts';
import { verifyPassword } from './password.ts';
import { recordFailure } from './record-failure.ts';
import { startSession, type Session } from './start-session.ts';
import { findCredentials } from './user-store.ts';

export type LogInInput = { email: string; password: string };

/**
 * Gives the same answer, after about the same time, for an unknown address and for a wrong password.
 * @throws AppError `invalid_credentials` (401), `password_sign_in_off` (403).
 */
export async function logIn(
  ctx: Pick<Context, 'config' | 'db' | 'clock' | 'address'>,
  { email, password }: LogInInput,
): Promise<Session> {
  requirePasswordSignIn(ctx);
  const credentials = await findCredentials(ctx.db, email);
  const verified = await verifyPassword(password, credentials?.passwordHash ?? null);
  if (credentials === null || !verified) {
    await recordFailure(ctx, { email: isEmailAllowed(email) ? email : null, id: credentials?.user.id ?? null });
    throw new AppError('unauthenticated', 'Incorrect email address or password', {
      code: 'invalid_credentials',
    });
  }
  return startSession(ctx, credentials);
}
