import { createHash, randomBytes } from 'node:crypto';

/** One hour (contract 4). */
export const RESET_TOKEN_TTL_MS = 3_600_000;

/** 256 random bits, in letters that need no escaping in an address. */
export function newResetToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored: a token of 256 random bits needs no slow hash. */
export function hashResetToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
