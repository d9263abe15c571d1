import type { Context } from '../context.ts';
import { AppError, unauthenticated } from '../errors.ts';
import { consumeSignInLink, deleteLapsedSignInLinks, insertSignInLink } from './one-time-token-store.ts';
import { hashOneTimeToken, newOneTimeToken } from './one-time-token.ts';
import { startSession, type Session } from './sessions/start-session.ts';
import { findIdentity } from './user-store.ts';
import type { Viewer } from './user.ts';

const TTL_MS = 15 * 60_000;

/** The address at which a browser signs in with the token of a link. */
export function signInAddress(publicUrl: string, token: string): string {
  return `${publicUrl}/sign-in/${token}`;
}

/**
 * Creates a token that signs a browser in as the viewer, once, within 15 minutes. Only its hash is stored.
 * @throws AppError unauthenticated when the account is gone.
 */
export async function createSignInLink(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  viewer: Viewer,
): Promise<{ token: string; expiresAt: Date }> {
  const token = newOneTimeToken();
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + TTL_MS);
  await deleteLapsedSignInLinks(db, viewer.id, now);
  const link = { userId: viewer.id, tokenHash: hashOneTimeToken(token), expiresAt };
  if (!(await insertSignInLink(db, link))) throw unauthenticated();
  return { token, expiresAt };
}

/**
 * Signs in the user who created the link, and uses it up. A link is invalid if the account's sessions were signed out
 * after it was created, for example by a password reset.
 * @throws AppError `sign_in_link_invalid` (400): unknown, expired, used or invalidated.
 */
export async function redeemSignInLink(
  ctx: Pick<Context, 'config' | 'db' | 'clock' | 'address'>,
  token: string,
): Promise<Session> {
  const link = await consumeSignInLink(ctx.db, hashOneTimeToken(token), ctx.clock.now());
  const identity = link === null ? null : await findIdentity(ctx.db, link.userId);
  if (link === null || identity?.sessionVersion !== link.sessionVersion) {
    throw new AppError('invalid', 'The sign-in link is no longer valid', { code: 'sign_in_link_invalid' });
  }
  return startSession(ctx, identity);
}
