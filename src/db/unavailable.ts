import { readErrorCode } from '../errors.ts';

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/**
 * SQLSTATE: connection exceptions, read-only (a standby, or a primary that became one), insufficient resources (too many
 * connections, disk full), server stopping or starting.
 */
const SQLSTATE = /^(08\w{3}|25006|53\w{3}|57P0[1-5])$/;

/** Messages of pg, tarn and knex when a connection is lost or not available. These errors have no code. */
const MESSAGE =
  /Connection (terminated|ended) unexpectedly|Connection terminated|timeout expired|is not queryable|Unable to acquire a connection|^aborted$/;

/** True if the database was unreachable or could not do the work now. A later attempt may succeed. */
export function isUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const code = readErrorCode(error);
  if (code !== null) return NETWORK_CODES.has(code) || SQLSTATE.test(code);
  if ('name' in error && error.name === 'KnexTimeoutError') return true;
  if ('message' in error && MESSAGE.test(String(error.message))) return true;
  return 'cause' in error && isUnavailable(error.cause);
}
