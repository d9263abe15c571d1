import { hkdfSync } from 'node:crypto';

/** A key of 32 bytes for one use of the service's own secret. If one key leaks, the others stay secret. */
export function deriveKey(secret: string, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', use, 32));
}
