import jwt from 'jsonwebtoken';
import { z } from 'zod';

/** Whom a token stands for. A row with another session version has signed that token out (contract 4). */
export type TokenSubject = { userId: string; sessionVersion: number };

const ALGORITHM = 'HS256';
/** Sets session tokens apart from whatever else is signed with the same secret. */
const AUDIENCE = 'pixelgate:session';

const Claims = z.object({ sub: z.uuid(), ver: z.int(), exp: z.number() });

const toSeconds = (date: Date) => Math.floor(date.getTime() / 1000);

/** A JWT, valid for `ttl` milliseconds (whole seconds, rounded up) from `now`. */
export function issueToken(secret: string, { userId, sessionVersion }: TokenSubject, ttl: number, now: Date): string {
  const iat = toSeconds(now);
  const claims = { sub: userId, ver: sessionVersion, aud: AUDIENCE, iat, exp: iat + Math.ceil(ttl / 1000) };
  return jwt.sign(claims, secret, { algorithm: ALGORITHM });
}

/** Null for anything that is not a session token which this service signed and which is valid at `now`. */
export function readToken(secret: string, token: string, now: Date): TokenSubject | null {
  try {
    const verified = jwt.verify(token, secret, {
      algorithms: [ALGORITHM],
      audience: AUDIENCE,
      clockTimestamp: toSeconds(now),
    });
    const claims = Claims.safeParse(verified);
    return claims.success ? { userId: claims.data.sub, sessionVersion: claims.data.ver } : null;
  } catch {
    // Whatever it throws is about the token: beside its own classes also a SyntaxError, for a payload that is not JSON.
    return null;
  }
}
