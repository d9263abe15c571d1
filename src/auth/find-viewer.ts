import type { Context } from '../context.ts';
import { requireJwtSecret } from './jwt-secret.ts';
import { hashOneTimeToken } from './one-time-token.ts';
import { readPreferences } from './preferences.ts';
import { readToken } from './session-token.ts';
import { WORKFLOW_PREFIX, isApiToken } from './tokens/api-token.ts';
import { findTokenViewer } from './tokens/api-token-store.ts';
import { readWorkflowToken } from './tokens/workflow-token.ts';
import { findIdentity, findSessionIdentity } from './user-store.ts';
import type { Viewer } from './viewer.ts';

/**
 * The viewer by the token of a session or an API token. Null: no valid token, or one that a password reset has signed
 * out (contract 4).
 */
export async function findViewer(
  { config, db, clock }: Pick<Context, 'config' | 'db' | 'clock'>,
  token: string | null,
): Promise<Viewer | null> {
  if (token?.startsWith(WORKFLOW_PREFIX)) return findWorkflowViewer({ config, db, clock }, token);
  if (token !== null && isApiToken(token)) return findTokenViewer(db, hashOneTimeToken(token), clock.now());
  const subject = token === null ? null : readToken(requireJwtSecret(config), token, clock.now());
  if (subject === null) return null;
  const identity = await findSessionIdentity(db, subject.userId);
  if (identity?.sessionVersion !== subject.sessionVersion) return null;
  return { ...identity.user, preferences: readPreferences(identity.preferences) };
}

async function findWorkflowViewer(
  { config, db, clock }: Pick<Context, 'config' | 'db' | 'clock'>,
  token: string,
): Promise<Viewer | null> {
  const grant = readWorkflowToken(requireJwtSecret(config), token, clock.now());
  if (grant === null) return null;
  const identity = await findIdentity(db, grant.userId);
  return identity === null ? null : { ...identity.user, within: grant.within };
}
