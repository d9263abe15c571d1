import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, in letters that need no escaping in an address. */
export function newOneTimeToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored: a token of 256 random bits needs no slow hash. */
export function hashOneTimeToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
