import { isIP } from 'node:net';
import type { Request } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';

/**
 * The client's address, by which limits count (for IPv6, its network). A proxy may put anything into its header. If
 * that is no IP address, the proxy itself is counted.
 */
export function addressKey(req: Request): string {
  const { ip = '' } = req;
  return ipKeyGenerator(isIP(ip) === 0 ? (req.socket.remoteAddress ?? 'unknown') : ip);
}
