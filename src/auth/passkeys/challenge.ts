import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { seal, unseal } from '../../secrets/seal.ts';
import { openingSecrets, requireJwtSecret } from '../jwt-secret.ts';

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
  const challenge = { text: randomBytes(32).toString('base64url'), userId, issuedAt: clock.now().getTime() };
  const sealed = seal(requireJwtSecret(config), PURPOSE, JSON.stringify(challenge));
  return { text: challenge.text, sealed };
}

/** Null: not ours, for something else, or older than an hour. */
export function readChallenge(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  userId: string | null,
  sealed: string,
): Challenge | null {
  const opened = unseal(openingSecrets(config), PURPOSE, sealed);
  if (opened === null) return null;
  const challenge = Challenge.parse(JSON.parse(opened));
  const isFresh = challenge.issuedAt + TTL_MS > clock.now().getTime();
  return isFresh && challenge.userId === userId ? challenge : null;
}
