import type { Config } from '../config.ts';
import { isUnavailable } from '../db/unavailable.ts';
import { AppError, errorMessage, hasCode, readErrorCode } from '../errors.ts';

/** SQLSTATE: wrong user or password, no such database, no right to make tables. */
const REFUSED_BY_DATABASE = /^(28\w{3}|3D000|42501)$/;

function findPath(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('path' in error)) return '';
  return typeof error.path === 'string' ? error.path : '';
}

/** Listening failed, or looking up the name to listen on. */
const isOfListening = (error: unknown, host: string): boolean =>
  typeof error === 'object' &&
  error !== null &&
  (('syscall' in error && error.syscall === 'listen') || ('hostname' in error && error.hostname === host));

/** Some errors (a name with several addresses, none of which answers) have a code and no message. */
const describeError = (error: unknown) => errorMessage(error) || (readErrorCode(error) ?? 'unknown reason');

/** One sentence for the person who starts the service, if the environment caused the failure. Null if it is a bug. */
export function explainStartFailure(
  error: unknown,
  { host, port, dataDir, databaseUrl }: Pick<Config, 'host' | 'port' | 'dataDir' | 'databaseUrl'>,
): string | null {
  if (error instanceof AppError) {
    return error.cause === undefined ? error.message : `${error.message}: ${describeError(error.cause)}`;
  }
  if (hasCode(error, 'EADDRINUSE')) return `PORT is ${port}, but another program is already listening on it (${host}).`;
  if (isOfListening(error, host)) {
    return `Pixelgate cannot listen on HOST ${host} and PORT ${port}: ${describeError(error)}.`;
  }
  if (findPath(error).startsWith(dataDir))
    return `DATA_DIR is ${dataDir}, which cannot be used: ${describeError(error)}.`;
  const refused = REFUSED_BY_DATABASE.test(readErrorCode(error) ?? '') || isUnavailable(error);
  if (databaseUrl !== null && refused) return `The database of DATABASE_URL cannot be used: ${describeError(error)}.`;
  return null;
}
