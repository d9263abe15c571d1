import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * HMAC-SHA256, base64url. The first line keeps it apart from whatever else the secret signs (session tokens).
 * @param expiresAtSeconds of the Unix clock; from that second on the signature is void.
 */
export function signObject(secret: string, name: string, expiresAtSeconds: number): string {
  return createHmac('sha256', secret).update(`pixelgate-object\n${expiresAtSeconds}\n${name}`).digest('base64url');
}

/** True while `signature` gives the right to read that one object. */
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
