import type { Context } from '../context.ts';
import { forbidden } from '../errors.ts';

/** @throws AppError forbidden `password_sign_in_off` where `PASSWORD_SIGN_IN` is false. */
export function requirePasswordSignIn({ config }: Pick<Context, 'config'>): void {
  if (config.passwordSignIn) return;
  throw forbidden('Passwords are turned off here. Sign in in another way.', 'password_sign_in_off');
}
