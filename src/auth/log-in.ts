import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { verifyPassword } from './password.ts';
import { requirePasswordSignIn } from './password-sign-in.ts';
import { startSession } from './start-session.ts';
import type { Session } from './start-session.ts';
import { findCredentials } from './user-store.ts';

export type LogInInput = { email: string; password: string };

/**
 * Gives the same answer, after about the same time, for an unknown address and for a wrong password.
 * @param address the client's
 * @throws AppError `invalid_credentials` (401), `password_sign_in_off` (403).
 */
export async function logIn(
  ctx: Pick<Context, 'config' | 'db' | 'clock'>,
  { email, password }: LogInInput,
  address: string | null = null,
): Promise<Session> {
  requirePasswordSignIn(ctx);
  const credentials = await findCredentials(ctx.db, email);
  const verified = await verifyPassword(password, credentials?.passwordHash ?? null);
  if (credentials === null || !verified) {
    throw new AppError('unauthenticated', 'Incorrect email address or password', {
      code: 'invalid_credentials',
    });
  }
  return startSession(ctx, credentials, { by: 'password', address });
}
