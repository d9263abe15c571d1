import { isIP } from 'node:net';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import { orNull } from '../../errors.ts';

/** How many a person has at most. */
export const MOST_PASSKEYS = 20;
export const PASSKEY_NAME_MAX_LENGTH = 100;

/** A key that one of the person's devices or password managers holds (WebAuthn). */
export type Passkey = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null };

/** Whom passkeys are for. Browsers use one only at the domain that it was made for. */
export type RelyingParty = { id: string; origin: string };

/**
 * Null where nobody signs in with a passkey: browsers have them only for a domain, over HTTPS or at localhost, and where
 * `PASSWORD_SIGN_IN` is false, only other services decide who may sign in.
 */
export function relyingParty({
  publicUrl,
  passwordSignIn,
}: Pick<Config, 'publicUrl' | 'passwordSignIn'>): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isDomain = !hostname.startsWith('[') && isIP(hostname) === 0;
  const isSecure = protocol === 'https:' || hostname === 'localhost';
  return passwordSignIn && isDomain && isSecure ? { id: hostname, origin } : null;
}

const Text = z.string().max(10_000);

/** What the browser answers, as `PublicKeyCredential.toJSON()` writes it. */
const credential = <R extends z.ZodType>(response: R) =>
  z.object({ id: Text, rawId: Text, type: z.literal('public-key'), response, clientExtensionResults: z.object({}) });

export const NewCredential = credential(
  z.object({
    clientDataJSON: Text,
    attestationObject: Text,
    transports: z.array(z.string().max(100)).max(20).exactOptional(),
  }),
);
export const UsedCredential = credential(
  z.object({ clientDataJSON: Text, authenticatorData: Text, signature: Text, userHandle: Text.exactOptional() }),
);

export const CREDENTIAL_MAX_LENGTH = 30_000;

/** Null: not what a browser sends. */
export function parseCredential<S extends z.ZodType>(schema: S, text: string): z.output<S> | null {
  return schema.safeParse(orNull<unknown>(() => JSON.parse(text))).data ?? null;
}

/** It takes 25 MB, so a process in which nobody uses a passkey does not load it. */
export const loadWebAuthn = async () => import('@simplewebauthn/server');
