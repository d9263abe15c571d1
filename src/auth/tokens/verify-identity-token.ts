import { createPublicKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { isRecent } from '../../async/is-recent.ts';
import type { Context, IssuerKeys } from '../../context.ts';
import { errorMessage, orNull, unauthenticated, unavailable, type AppError } from '../../errors.ts';

type KeyContext = Pick<Context, 'network' | 'clock' | 'log' | 'issuerKeys'>;

const MAX_BYTES = 256 * 1024;
const MAX_KEYS = 100;
const TIMEOUT_MS = 10_000;

/** A key that an issuer has withdrawn is rejected after this time at the latest. */
const KEPT_MS = 60 * 60_000;
/** An issuer is asked at most this often, whatever keys tokens name. */
const PAUSE_MS = 60_000;

/** RFC 7517. Keys of other kinds are left out: only RS256 is accepted. */
const Key = z.object({
  kid: z.string().min(1).max(500),
  kty: z.literal('RSA'),
  use: z.literal('sig').optional(),
  alg: z.literal('RS256').optional(),
  n: z.string(),
  e: z.string(),
});
const KeySet = z.object({ keys: z.array(z.unknown()).max(MAX_KEYS) });

function toPublicKey(key: unknown): [string, KeyObject][] {
  const parsed = Key.safeParse(key);
  if (!parsed.success) return [];
  const { kid, kty, n, e } = parsed.data;
  return [[kid, createPublicKey({ key: { kty, n, e }, format: 'jwk' })]];
}

async function readKeys({ network, clock }: KeyContext, issuer: string): Promise<IssuerKeys> {
  const { status, body, truncated } = await network.fetch({
    url: `${issuer}/.well-known/jwks`,
    userAgent: 'Pixelgate',
    headers: { accept: 'application/json' },
    timeout: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  if (status !== 200 || truncated) throw new Error(`The answer is ${truncated ? 'too long' : `status ${status}`}`);
  const { keys } = KeySet.parse(JSON.parse(body.toString('utf8')));
  return { keys: new Map(keys.flatMap(toPublicKey)), readAt: clock.now() };
}

/**
 * The current keys, or the result of the last request if it is less than a minute old. Concurrent callers share a
 * request.
 */
async function askForKeys(ctx: KeyContext, issuer: string): Promise<IssuerKeys> {
  const kept = ctx.issuerKeys.get(issuer);
  if (kept !== undefined && isRecent(ctx.clock.now(), kept.askedAt, PAUSE_MS)) return kept.asking;
  const asking = readKeys(ctx, issuer);
  const entry = { last: kept?.last ?? null, asking, askedAt: ctx.clock.now() };
  ctx.issuerKeys.set(issuer, entry);
  entry.last = await asking;
  return asking;
}

/**
 * The key by which an issuer signed a token. Keys are kept for an hour. For an unknown key the issuer is asked again,
 * at most once a minute. If the issuer can't be reached, tokens with a known key are still accepted.
 * @returns null when the issuer has no such key.
 * @throws AppError unavailable `issuer_unreachable`
 */
async function findIssuerKey(ctx: KeyContext, issuer: string, kid: string): Promise<KeyObject | null> {
  const last = ctx.issuerKeys.get(issuer)?.last ?? null;
  const known = last !== null && isRecent(ctx.clock.now(), last.readAt, KEPT_MS) ? last.keys.get(kid) : undefined;
  if (known !== undefined) return known;
  try {
    return (await askForKeys(ctx, issuer)).keys.get(kid) ?? null;
  } catch (error) {
    ctx.log.warn({ err: error, issuer }, "an issuer's keys could not be read");
    throw unavailable(`The keys of ${issuer} could not be read. Try again in a minute.`, 'issuer_unreachable');
  }
}

/** The only accepted algorithm, so that a public key can never be taken for a shared secret (RFC 8725, 3.1). */
const ALGORITHM = 'RS256';
/** How much clocks may differ. */
const TOLERANCE_SECONDS = 30;

const Header = z.object({ alg: z.literal(ALGORITHM), kid: z.string().min(1).max(500) });

function refused(reason: string): AppError {
  return unauthenticated(`The identity token was rejected: ${reason}`, 'identity_token_refused');
}

function readKeyId(token: string): string {
  // It throws if a part is not JSON.
  const header = Header.safeParse(orNull(() => jwt.decode(token, { complete: true }))?.header);
  if (!header.success) throw refused(`it is not a JWT signed with ${ALGORITHM} and a key ID`);
  return header.data.kid;
}

/**
 * Verifies an OpenID Connect identity token (signature, issuer, audience, times).
 * @returns its claims, which the caller parses.
 * @throws AppError unauthenticated `identity_token_refused` with the reason; unavailable when the issuer's keys can't be
 * read.
 */
export async function verifyIdentityToken(
  ctx: Pick<Context, 'network' | 'clock' | 'log' | 'issuerKeys'>,
  token: string,
  { issuer, audience }: { issuer: string; audience: string },
): Promise<unknown> {
  const key = await findIssuerKey(ctx, issuer, readKeyId(token));
  if (key === null) throw refused(`${issuer} has no such key`);
  try {
    const claims = jwt.verify(token, key, {
      algorithms: [ALGORITHM],
      issuer,
      audience,
      clockTimestamp: Math.floor(ctx.clock.now().getTime() / 1000),
      clockTolerance: TOLERANCE_SECONDS,
    });
    if (typeof claims !== 'string' && claims.exp !== undefined) return claims;
  } catch (error) {
    throw refused(errorMessage(error));
  }
  throw refused('it does not expire');
}
