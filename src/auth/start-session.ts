import type { Context } from '../context.ts';
import { requireJwtSecret } from './jwt-secret.ts';
import { issueToken } from './session-token.ts';
import type { Identity } from './user-store.ts';
import type { User } from './user.ts';

/** What login and registration answer (spec 5): the token is for the cookie and for clients that keep none. */
export type Session = { user: User; token: string };

export function startSession(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  { user, sessionVersion }: Identity,
): Session {
  const subject = { userId: user.id, sessionVersion };
  return { user, token: issueToken(requireJwtSecret(config), subject, config.sessionTtl, clock.now()) };
}
