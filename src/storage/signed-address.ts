import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * HMAC-SHA256, base64url. The first line of the signed text tells it from anything else that the secret signs (session
 * tokens).
 * @param expiresAtSeconds Unix time from which the signature is no longer valid.
 */
export function signObject(secret: string, name: string, expiresAtSeconds: number): string {
  return createHmac('sha256', secret).update(`pixelgate-object\n${expiresAtSeconds}\n${name}`).digest('base64url');
}

/** True while `signature` allows reading this one object. */
export function verifyObject(
  secret: string,
  name: string,
  expires: number,
  signature: string,
  nowSeconds: number,
): boolean {
  if (!Number.isSafeInteger(expires) || expires <= nowSeconds) return false;
  const expected = Buffer.from(signObject(secret, name, expires));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
