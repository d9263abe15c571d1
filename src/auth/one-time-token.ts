import { randomBytes } from 'node:crypto';
import { sha256Of } from '../text/sha256.ts';

/** 256 random bits, in characters that need no escaping in a URL. */
export function newOneTimeToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The hash that is stored. It can be a fast one, because the token has 256 random bits. */
export function hashOneTimeToken(token: string): string {
  return sha256Of(token);
}
