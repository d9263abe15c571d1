import { Agent, request } from 'undici';
import { errorMessage, readErrorCode, unprocessable } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { parseUrl } from '../text/parse-url.ts';
import {
  checkHostText,
  checkLiteralAddress,
  createCheckedLookup,
  resolveAddresses,
  systemLookup,
  whyRefused,
  type Lookup,
} from './checked-lookup.ts';
import type { FilteringProxy } from './filtering-proxy.ts';
import { FetchError, type FetchFailure, type FetchRequest, type FetchResponse, type Network } from './network.ts';
import { ACCEPTED_ENCODINGS, readBody } from './read-body.ts';

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
function explainFailure(host: string, timeout: number, error: unknown): FetchError {
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

const MAX_HEADER_BYTES = 64 * 1024;
const CONNECT_TIMEOUT_MS = 15_000;

export type NetworkOptions = {
  allowPrivateTargets: boolean;
  log: Logger;
  /** A test's stand-in for DNS. */
  lookup?: Lookup;
};

function parseHttp(url: string): URL | null {
  const parsed = parseUrl(url);
  return parsed?.protocol === 'http:' || parsed?.protocol === 'https:' ? parsed : null;
}

/** undici turns each byte into a character. Browsers encode the bytes of an address, which are mostly UTF-8. */
const encodeBytes = (address: string) =>
  address.replaceAll(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);

/** Dates in cookies contain commas. */
function readHeader(name: string, value: string | string[]): string {
  if (Array.isArray(value)) return value.join(name === 'set-cookie' ? '\n' : ', ');
  return name === 'location' ? encodeBytes(value) : value;
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name.toLowerCase(), readHeader(name.toLowerCase(), value)]],
  );
  return Object.fromEntries(entries);
}

/** Only a process that opens a browser loads the proxy's library. */
async function startProxy(lookup: Lookup | null, log: Logger): Promise<FilteringProxy> {
  const { startFilteringProxy } = await import('./filtering-proxy.ts');
  return startFilteringProxy(lookup, log);
}

/** What to send by POST. Undefined: it is a GET. */
const bodyOf = ({ form, body }: FetchRequest): string | Buffer | undefined =>
  form === undefined ? body : new URLSearchParams(form).toString();

async function exchange(agent: Agent, url: URL, input: FetchRequest): Promise<FetchResponse> {
  const body = bodyOf(input);
  const answer = await request(url, {
    dispatcher: agent,
    method: body === undefined ? 'GET' : 'POST',
    ...(body === undefined ? {} : { body }),
    headers: {
      ...(input.form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      'user-agent': input.userAgent,
      accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      ...input.headers,
      'accept-encoding': ACCEPTED_ENCODINGS,
    },
    signal: AbortSignal.timeout(input.timeout),
  });
  const headers = flat(answer.headers);
  if (input.wantsBody !== undefined && !input.wantsBody(answer.statusCode, headers)) {
    // Small leftovers are read so that the connection can be reused. For anything longer, the connection is closed.
    await answer.body.dump({ limit: 16_384 }).catch(() => undefined);
    return { status: answer.statusCode, headers, body: Buffer.alloc(0), truncated: false };
  }
  const read = await readBody(answer.body, headers['content-encoding'] ?? '', input.maxBytes);
  return { status: answer.statusCode, headers, ...read };
}

/** The real network. If private targets are allowed, it only checks that the address is http(s). */
export function createNetwork({ allowPrivateTargets, log, lookup = systemLookup }: NetworkOptions): Network {
  const checked = allowPrivateTargets ? {} : { lookup: createCheckedLookup(lookup) };
  const agent = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS, ...checked }, maxHeaderSize: MAX_HEADER_BYTES });
  let proxy: Promise<FilteringProxy> | null = null;

  return {
    async fetch(input) {
      const url = parseHttp(input.url);
      if (url === null) throw new FetchError(`${input.url} is not an http(s) URL`, 'refused_target');
      try {
        const refusal = allowPrivateTargets ? null : checkLiteralAddress(url.hostname);
        if (refusal !== null) throw refusal;
        return await exchange(agent, url, input);
      } catch (error) {
        throw explainFailure(url.host, input.timeout, error);
      }
    },

    async assertAllowed(text) {
      const url = parseHttp(text);
      if (url === null) throw unprocessable(`${text} is not an http(s) URL`, 'target_not_allowed');
      const refusal = allowPrivateTargets ? null : checkHostText(url.hostname);
      if (refusal !== null) throw unprocessable(refusal.message, 'target_not_allowed');
    },

    async proxyUrl() {
      if (allowPrivateTargets) return null;
      proxy ??= startProxy(lookup, log);
      return (await proxy).url;
    },

    openProxy: async () => startProxy(allowPrivateTargets ? null : lookup, log),

    async whyUnreachable(text) {
      const url = parseHttp(text);
      if (allowPrivateTargets || url === null) return null;
      return whyRefused(lookup, url.hostname);
    },

    async addresses(hostname) {
      return (await resolveAddresses(lookup, hostname)).map(({ address }) => address);
    },

    async close() {
      await Promise.all([agent.destroy(), proxy?.then((started) => started.close())]);
    },
  };
}
