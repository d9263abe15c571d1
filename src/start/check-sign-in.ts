import type { Context } from '../context.ts';
import { unprocessable } from '../errors.ts';
import { isSignInConfigured } from '../github/sign-in/sign-in-with-github.ts';

/** @throws AppError when passwords are turned off and there is no other way to sign in. */
export async function checkSignIn(ctx: Context): Promise<void> {
  const { passwordSignIn, oidc } = ctx.config;
  if (passwordSignIn || oidc !== null || (await isSignInConfigured(ctx))) return;
  throw unprocessable(
    'PASSWORD_SIGN_IN is false, and there is no other way to sign in. Set OIDC_ISSUER, or set up sign-in with GitHub first.',
    'no_sign_in',
  );
}
