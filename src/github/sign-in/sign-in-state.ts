import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';

const TTL_MS = 10 * 60_000;

const State = z.object({
  /** GitHub must return the same value. */
  state: z.string(),
  /** PKCE (RFC 7636): proves to GitHub that the one who brings the code also requested it. */
  verifier: z.string(),
  /** The user who wants to link a GitHub account. Null: a sign-in. */
  userId: z.string().nullable(),
  /** A path of our own to redirect to at the end. */
  next: z.string().default('/'),
  expiresAt: z.number(),
});

/** The sealed state that the browser keeps while it is at GitHub. */
export type SignInState = z.output<typeof State>;

const randomText = () => randomBytes(32).toString('base64url');

export function newSignInState(userId: string | null, next: string, now: Date): SignInState {
  return { state: randomText(), verifier: randomText(), userId, next, expiresAt: now.getTime() + TTL_MS };
}

/** Null: not sealed by us, or older than ten minutes. */
export function readSignInState(text: string, now: Date): SignInState | null {
  const parsed = State.safeParse(JSON.parse(text));
  return parsed.success && parsed.data.expiresAt > now.getTime() ? parsed.data : null;
}

/** RFC 7636 4.2, method S256. */
export function codeChallenge(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
