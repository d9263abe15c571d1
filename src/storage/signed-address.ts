import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '../secrets/seal.ts';

/**
 * HMAC-SHA256, base64url, with a key that signs nothing else.
 * @param expiresAtSeconds Unix time from which the signature is no longer valid.
 */
export function signObject(secret: string, name: string, expiresAtSeconds: number): string {
  return createHmac('sha256', deriveKey(secret, 'pixelgate-object'))
    .update(`${expiresAtSeconds}\n${name}`)
    .digest('base64url');
}

const isEqual = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other);

/**
 * True while `signature` allows reading this one object.
 * @param secrets the one that signs now, and the one before it while secrets are changed
 */
export function verifyObject(
  secrets: readonly string[],
  { name, expires, signature }: { name: string; expires: number; signature: string },
  nowSeconds: number,
): boolean {
  if (!Number.isSafeInteger(expires) || expires <= nowSeconds) return false;
  const given = Buffer.from(signature);
  return secrets.some((secret) => isEqual(Buffer.from(signObject(secret, name, expires)), given));
}
