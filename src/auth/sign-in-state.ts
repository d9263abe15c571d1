import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { AccountProvider } from './account.ts';
import { openValue, sealValue } from './jwt-secret.ts';
import { newOneTimeToken } from './one-time-token.ts';
import type { Viewer } from './user.ts';

const TTL_MS = 10 * 60_000;

const State = z.object({
  /** The other service must return the same value. */
  state: z.string(),
  /** PKCE (RFC 7636): proves to the service that the one who brings the code also requested it. */
  verifier: z.string(),
  /** OpenID Connect: the identity token must have it, so that it was made for this sign-in. */
  nonce: z.string(),
  /** The user who wants to link an account. Null: a sign-in. */
  userId: z.string().nullable(),
  /** A path of our own to redirect to at the end. */
  next: z.string(),
  expiresAt: z.number(),
});

/** What the browser keeps, sealed, while it is at the other service. */
export type SignInState = z.output<typeof State>;

const purpose = (provider: AccountProvider) => `${provider}-sign-in`;

/**
 * @param viewer the signed-in person, who links an account; null signs in with it
 * @param next a path of our own to redirect to at the end
 * @returns the state, and the same sealed, for the browser
 */
export function newSignInState(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  provider: AccountProvider,
  viewer: Viewer | null,
  next: string,
): { state: SignInState; kept: string } {
  const state = {
    state: newOneTimeToken(),
    verifier: newOneTimeToken(),
    nonce: newOneTimeToken(),
    userId: viewer?.id ?? null,
    next,
    expiresAt: clock.now().getTime() + TTL_MS,
  };
  return { state, kept: sealValue(config, purpose(provider), state) };
}

/**
 * @param kept what the browser kept
 * @param returned the state that the other service returned
 * @returns null: not sealed by us for this service, older than ten minutes, of another sign-in, or of another viewer. The
 * person who asked to link an account must still be the one who is signed in.
 */
export function readSignInState(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  provider: AccountProvider,
  viewer: Viewer | null,
  kept: string | null,
  returned: string | undefined,
): SignInState | null {
  // Another version of this service may have made it.
  const shape = State.nullable().catch(null);
  const state = kept === null ? null : openValue(config, purpose(provider), shape, kept);
  if (state === null || state.expiresAt <= clock.now().getTime() || state.state !== returned) return null;
  return state.userId === null || state.userId === viewer?.id ? state : null;
}

/** RFC 7636 4.2, method S256. */
export function codeChallenge(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
