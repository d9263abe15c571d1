import jwt from 'jsonwebtoken';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { AppError, errorMessage } from '../../errors.ts';
import { findIssuerKey } from './issuer-keys.ts';

/** The only accepted algorithm, so that a public key can never be taken for a shared secret (RFC 8725, 3.1). */
const ALGORITHM = 'RS256';
/** How much clocks may differ. */
const TOLERANCE_SECONDS = 30;

const Header = z.object({ alg: z.literal(ALGORITHM), kid: z.string().min(1).max(500) });

function refused(reason: string): AppError {
  return new AppError('unauthenticated', `The identity token was rejected: ${reason}`, {
    code: 'identity_token_refused',
  });
}

function readKeyId(token: string): string {
  const decoded = decode(token);
  const header = Header.safeParse(decoded?.header);
  if (!header.success) throw refused(`it is not a JWT signed with ${ALGORITHM} and a key ID`);
  return header.data.kid;
}

function decode(token: string): jwt.Jwt | null {
  try {
    return jwt.decode(token, { complete: true });
  } catch {
    // Its parts are not JSON.
    return null;
  }
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
