import type { Context } from '../context.ts';
import { requireJwtSecret } from './jwt-secret.ts';
import { issueToken } from './session-token.ts';
import type { Identity } from './user-store.ts';
import type { User } from './user.ts';

/** The answer to login and registration (spec 5). The token is for the cookie, and for clients without cookies. */
export type Session = { user: User; token: string };

export function startSession(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  { user, sessionVersion }: Identity,
): Session {
  const subject = { userId: user.id, sessionVersion };
  return { user, token: issueToken(requireJwtSecret(config), subject, config.sessionTtl, clock.now()) };
}
