import { parseUrl } from '../text/parse-url.ts';
import type { Unreachable } from './failure-code.ts';
import type { FilteringProxy } from './filtering-proxy.ts';

export type FetchRequest = {
  url: string;
  userAgent: string;
  /** Milliseconds for the whole exchange. */
  timeout: number;
  /** A longer body is cut off, and `truncated` is set. */
  maxBytes: number;
  /**
   * Returns false when the body is not needed (a download, an image). It is then not read, and comes back empty.
   * Default: every body is read.
   */
  wantsBody?: (status: number, headers: Record<string, string>) => boolean;
  /** Besides those that every request has. */
  headers?: Record<string, string>;
  /** Fields of a form that is sent by POST. Without them and `body` it is a GET. */
  form?: Record<string, string>;
  /** Sent by POST as it is. Its `content-type` is in `headers`. */
  body?: string | Buffer;
};

export type FetchResponse = {
  status: number;
  /** Lower-case names. Values of the same name are joined by commas, cookies by line breaks. */
  headers: Record<string, string>;
  /** Decoded (content-encoding undone). */
  body: Buffer;
  truncated: boolean;
};

export type FetchFailure = 'refused_target' | 'not_found' | 'timeout' | 'unreachable' | 'protocol';

/** No answer came. The message is for people. `failure` tells whether it may be temporary (a timeout). */
export class FetchError extends Error {
  readonly failure: FetchFailure;

  constructor(message: string, failure: FetchFailure, cause?: unknown) {
    super(message, { cause });
    this.name = 'FetchError';
    this.failure = failure;
  }
}

/** How the service reaches the sites under test; refuses addresses that are not allowed (ALLOW_PRIVATE_TARGETS). */
export type Network = {
  /**
   * One request. Redirects are not followed.
   * @throws FetchError
   */
  fetch(request: FetchRequest): Promise<FetchResponse>;
  /**
   * Checks the text of an address, before it is stored: it must be http(s), and no private IP address or name. What a name
   * resolves to is checked at each connection. If it were looked up here, the answer would tell which names there are.
   * @throws AppError `unprocessable`, code `target_not_allowed`
   */
  assertAllowed(url: string): Promise<void>;
  /** Address of the filtering proxy that the browser must use; null when every address is allowed. */
  proxyUrl(): Promise<string | null>;
  /** Another such proxy, even if every address is allowed, for a browser that can be limited to some hosts. */
  openProxy(): Promise<FilteringProxy>;
  /** Why that proxy would refuse to connect to the URL's host now. Null: it would connect. */
  whyUnreachable(url: string): Promise<Unreachable | null>;
  /** The addresses that the proxy would find for a host now. Empty if there are none. */
  addresses(hostname: string): Promise<string[]>;
  close(): Promise<void>;
};

/** The absolute address that a response redirects to; null when it is not a redirect. */
export function redirectTarget(
  { status, headers }: Pick<FetchResponse, 'status' | 'headers'>,
  from: string,
): string | null {
  const location = headers['location'];
  if (status < 300 || status >= 400 || location === undefined) return null;
  return parseUrl(location, from)?.href ?? null;
}

/** The outcome of visiting one address: the final result, or the next address. */
type Visit<T> = { end: T } | { next: string };

/** Visits an address and those it redirects to. Null: there are more than `limit` redirects. */
export async function followRedirects<T>(
  start: string,
  limit: number,
  visit: (url: string) => Promise<Visit<T>>,
): Promise<T | null> {
  let url = start;
  for (let redirects = 0; redirects <= limit; redirects += 1) {
    const visited = await visit(url);
    if ('end' in visited) return visited.end;
    url = visited.next;
  }
  return null;
}

/**
 * The `Retry-After` header in milliseconds from `now`: seconds or a date (RFC 9110 10.2.3). Null when it is missing or
 * invalid.
 * @param now milliseconds since the epoch
 */
export function parseRetryAfter(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
