import type { Context } from '../../context.ts';
import { requireJwtSecret } from '../jwt-secret.ts';
import { hashOneTimeToken } from '../one-time-token.ts';
import { readPreferences } from '../preferences.ts';
import { findTokenViewer } from '../tokens/api-token-store.ts';
import { isApiToken, WORKFLOW_PREFIX } from '../tokens/api-token.ts';
import { readWorkflowToken } from '../tokens/workflow-token.ts';
import { findIdentity } from '../user-store.ts';
import type { Viewer } from '../viewer.ts';
import { findSession, markSeen } from './session-store.ts';
import { readToken } from './session-token.ts';
import { SEEN_EVERY_MS, USER_AGENT_MAX_LENGTH } from './session.ts';

/**
 * The viewer by the token of a session or an API token. Null: no valid token, or one that a password reset or its owner
 * has signed out.
 * @param userAgent how the client identifies itself; the session stores it, so that its owner can see it
 */
export async function findViewer(
  { config, db, clock }: Pick<Context, 'config' | 'db' | 'clock'>,
  token: string | null,
  userAgent: string | null = null,
): Promise<Viewer | null> {
  if (token?.startsWith(WORKFLOW_PREFIX)) return findWorkflowViewer({ config, db, clock }, token);
  if (token !== null && isApiToken(token)) return findTokenViewer(db, hashOneTimeToken(token), clock.now());
  return token === null ? null : findSessionViewer({ config, db, clock }, token, userAgent);
}

async function findSessionViewer(
  { config, db, clock }: Pick<Context, 'config' | 'db' | 'clock'>,
  token: string,
  userAgent: string | null,
): Promise<Viewer | null> {
  const now = clock.now();
  const subject = readToken(requireJwtSecret(config), token, now);
  const found = subject === null ? null : await findSession(db, subject);
  if (subject === null || found === null) return null;
  const { sessionId } = subject;
  const seenAt = found.lastSeenAt?.getTime() ?? -Infinity;
  if (now.getTime() - seenAt >= SEEN_EVERY_MS) {
    await markSeen(db, sessionId, now, userAgent?.slice(0, USER_AGENT_MAX_LENGTH) ?? null);
  }
  return { ...found.user, sessionId, preferences: readPreferences(found.preferences) };
}

async function findWorkflowViewer(
  { config, db, clock }: Pick<Context, 'config' | 'db' | 'clock'>,
  token: string,
): Promise<Viewer | null> {
  const grant = readWorkflowToken(requireJwtSecret(config), token, clock.now());
  if (grant === null) return null;
  const identity = await findIdentity(db, grant.userId);
  return identity === null || identity.isDisabled ? null : { ...identity.user, within: grant.within };
}
