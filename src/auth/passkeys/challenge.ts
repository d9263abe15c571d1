import { z } from 'zod';
import type { Context } from '../../context.ts';
import { openValue, sealValue } from '../jwt-secret.ts';
import { newOneTimeToken } from '../one-time-token.ts';

const PURPOSE = 'passkey-challenge';
/** Long enough for a page that stays open. */
const TTL_MS = 60 * 60_000;

const Challenge = z.object({
  /** The authenticator signs it. */
  text: z.string(),
  /** Who adds a passkey. Null: a sign-in. */
  userId: z.string().nullable(),
  issuedAt: z.number(),
});
export type Challenge = z.output<typeof Challenge>;

/** @returns the challenge, and the same sealed, which the form sends back */
export function newChallenge(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  userId: string | null,
): { text: string; sealed: string } {
  const challenge = { text: newOneTimeToken(), userId, issuedAt: clock.now().getTime() };
  return { text: challenge.text, sealed: sealValue(config, PURPOSE, challenge) };
}

/** Null: not ours, for something else, or older than an hour. */
export function readChallenge(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  userId: string | null,
  sealed: string,
): Challenge | null {
  const challenge = openValue(config, PURPOSE, Challenge, sealed);
  if (challenge === null || challenge.issuedAt + TTL_MS <= clock.now().getTime()) return null;
  return challenge.userId === userId ? challenge : null;
}
