import type { Context } from '../context.ts';
import { jwtSecretOf } from './jwt-secret.ts';
import { readToken } from './session-token.ts';
import { findCredentialsById } from './user-store.ts';
import type { Viewer } from './viewer.ts';

/** Null: no valid token, or one that a password reset has signed out (contract 4). */
export async function viewerOf(
  { config, db, clock }: Pick<Context, 'config' | 'db' | 'clock'>,
  token: string | null,
): Promise<Viewer | null> {
  const subject = token === null ? null : readToken(jwtSecretOf(config), token, clock.now());
  if (subject === null) return null;
  const credentials = await findCredentialsById(db, subject.userId);
  return credentials?.sessionVersion === subject.sessionVersion ? credentials.user : null;
}
