import type { Context } from '../context.ts';
import { requireJwtSecret } from './jwt-secret.ts';
import { hashOneTimeToken } from './one-time-token.ts';
import { readToken } from './session-token.ts';
import { isApiToken } from './tokens/api-token.ts';
import { findTokenViewer } from './tokens/api-token-store.ts';
import { findIdentity } from './user-store.ts';
import type { Viewer } from './viewer.ts';

/**
 * The viewer by the token of a session or an API token. Null: no valid token, or one that a password reset has signed
 * out (contract 4).
 */
export async function findViewer(
  { config, db, clock }: Pick<Context, 'config' | 'db' | 'clock'>,
  token: string | null,
): Promise<Viewer | null> {
  if (token !== null && isApiToken(token)) return findTokenViewer(db, hashOneTimeToken(token), clock.now());
  const subject = token === null ? null : readToken(requireJwtSecret(config), token, clock.now());
  if (subject === null) return null;
  const identity = await findIdentity(db, subject.userId);
  return identity?.sessionVersion === subject.sessionVersion ? identity.user : null;
}
