import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/*
 * Secrets at rest: AES-256-GCM under a key that is derived from the service's own secret, so the database alone reveals
 * nothing. Text form: `v1.` and base64url of nonce (12 bytes), tag (16 bytes) and cipher text.
 */
const VERSION = 'v1.';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key of 32 bytes for one use of the service's own secret. If one key leaks, the others stay secret. */
export function deriveKey(secret: string, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', use, 32));
}

const sealKey = (secret: string, purpose: string) => deriveKey(secret, `pixelgate-seal\n${purpose}`);

/** @param purpose what is sealed for one purpose can't be unsealed for another: each has a key of its own. */
export function seal(secret: string, purpose: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', sealKey(secret, purpose), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Null if the text was not made by `seal` with one of these secrets and this purpose. */
export function unseal(secrets: readonly string[], purpose: string, sealed: string): string | null {
  for (const secret of secrets) {
    const text = unsealWith(secret, purpose, sealed);
    if (text !== null) return text;
  }
  return null;
}

/**
 * Seals a text again with the first secret if one of the others opens it.
 * @returns null if there is nothing to do: the first secret opens it, or none does
 */
export function reseal(secrets: readonly string[], purpose: string, sealed: string): string | null {
  const [first] = secrets;
  if (first === undefined || unsealWith(first, purpose, sealed) !== null) return null;
  const text = unseal(secrets, purpose, sealed);
  return text === null ? null : seal(first, purpose, text);
}

function unsealWith(secret: string, purpose: string, sealed: string): string | null {
  if (!sealed.startsWith(VERSION)) return null;
  const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', sealKey(secret, purpose), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    // The tag does not match; nothing else can go wrong here.
    return null;
  }
}
