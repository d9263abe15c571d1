import { errorMessage, readErrorCode } from '../errors.ts';
import { FetchError, type FetchFailure } from './network.ts';

/** The fields that we read from a thrown value, besides its code. */
type Thrown = { name?: unknown; cause?: unknown; errors?: unknown };

const thrown = (error: unknown): Thrown => (typeof error === 'object' && error !== null ? error : {});

const UNREACHABLE: Record<string, string> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  UND_ERR_SOCKET: 'closed the connection',
  EHOSTUNREACH: 'could not be reached',
  ENETUNREACH: 'could not be reached',
  ENETDOWN: 'could not be reached',
  EADDRNOTAVAIL: 'could not be reached',
  EAI_AGAIN: 'could not be looked up',
};

const TIMEOUTS = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const NOT_FOUND = new Set(['ENOTFOUND', 'EAI_NODATA', 'EAI_NONAME', 'EAI_FAIL']);
const CERTIFICATE = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA)/;

/** undici wraps Node's error, and Node collects the errors of its attempts. The first code found is the reason. */
function findRootCause(error: unknown): unknown {
  if (readErrorCode(error) !== null) return error;
  const { errors, cause } = thrown(error);
  const next: unknown = Array.isArray(errors) ? errors[0] : cause;
  return next === undefined ? error : findRootCause(next);
}

/** Says in one sentence why there was no answer. `timeout` is in milliseconds. */
export function explainFailure(host: string, timeout: number, error: unknown): FetchError {
  const root = findRootCause(error);
  const code = readErrorCode(root) ?? '';
  const told = (message: string, failure: FetchFailure) => new FetchError(message, failure, error);
  const unreachable = UNREACHABLE[code];
  if (error instanceof FetchError) return error;
  if (code === 'ETARGETREFUSED') return told(errorMessage(root), 'refused_target');
  if (NOT_FOUND.has(code)) return told(`The host ${host} could not be found`, 'not_found');
  if (unreachable !== undefined) return told(`${host} ${unreachable}`, 'unreachable');
  if (TIMEOUTS.has(code) || thrown(root).name === 'TimeoutError') {
    return told(`${host} did not respond within ${Math.round(timeout / 100) / 10} seconds`, 'timeout');
  }
  if (CERTIFICATE.test(code)) return told(`The certificate of ${host} is not trusted (${code})`, 'protocol');
  if (code.startsWith('ERR_SSL')) return told(`${host} does not support HTTPS on this port`, 'protocol');
  if (code.startsWith('HPE_') || code.startsWith('UND_ERR'))
    return told(`${host} did not send a valid HTTP response`, 'protocol');
  return told(`${host} could not be read`, 'protocol');
}
