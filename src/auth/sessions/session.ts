import { z } from 'zod';
import { readClaims, signClaims, toSeconds } from '../jwt-secret.ts';

/** Who a token stands for. If the user's row has another session version, the token is signed out. */
export type TokenSubject = { userId: string; sessionVersion: number; sessionId: string };

const AUDIENCE = 'pixelgate:session';

const Claims = z.object({ sub: z.uuid(), ver: z.int(), sid: z.uuid(), exp: z.number() });

/** A JWT, valid for `ttl` milliseconds (whole seconds, rounded up) from `now`. */
export function issueToken(secret: string, subject: TokenSubject, ttl: number, now: Date): string {
  const { userId: sub, sessionVersion: ver, sessionId: sid } = subject;
  const iat = toSeconds(now);
  return signClaims(secret, AUDIENCE, { sub, ver, sid, iat, exp: iat + Math.ceil(ttl / 1000) });
}

/** Null for anything but a session token that this service signed and that is valid at `now`. */
export function readToken(secret: string, token: string, now: Date): TokenSubject | null {
  const claims = readClaims(secret, { audience: AUDIENCE, shape: Claims, now }, token);
  return claims && { userId: claims.sub, sessionVersion: claims.ver, sessionId: claims.sid };
}

/** A browser or program that is signed in. */
export type SignedInSession = {
  id: string;
  /** The user agent of the last request that was recorded. Null: there was none. */
  userAgent: string | null;
  createdAt: Date;
  /** Precise to five minutes. Null: it has not been used. */
  lastSeenAt: Date | null;
};

/** How often the time of the last request is updated at most. */
export const SEEN_EVERY_MS = 5 * 60_000;

/** In characters. Browsers send about 150. */
export const USER_AGENT_MAX_LENGTH = 500;

/** How many sessions are listed, the most recently used first. */
export const LISTED_SESSIONS = 50;
