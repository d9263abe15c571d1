import { STATUS_CODES } from 'node:http';

/** Chromium's `net::ERR_…` names, by their beginning, in words for people; `host` is put in place of `{host}`. */
const NETWORK_FAILURES: [prefix: string, sentence: string][] = [
  ['NAME_NOT_RESOLVED', 'The host name {host} could not be resolved'],
  ['CONNECTION_REFUSED', 'The connection to {host} was refused'],
  ['CONNECTION_RESET', 'The connection to {host} was reset'],
  ['CONNECTION_CLOSED', '{host} closed the connection without an answer'],
  ['EMPTY_RESPONSE', '{host} closed the connection without an answer'],
  ['CONNECTION_TIMED_OUT', 'The connection to {host} timed out'],
  ['TIMED_OUT', 'The connection to {host} timed out'],
  ['ADDRESS_UNREACHABLE', '{host} could not be reached'],
  ['INTERNET_DISCONNECTED', '{host} could not be reached'],
  ['NETWORK', 'The network changed or is away while {host} was being reached'],
  ['CERT', 'The certificate of {host} is not valid'],
  ['SSL', 'No secure connection to {host} could be made'],
  ['TOO_MANY_REDIRECTS', 'The page redirects too many times'],
  ['UNSAFE_PORT', 'The port of {host} is one that browsers refuse'],
  ['PROXY', 'The proxy that captures must use could not be reached'],
  ['TUNNEL', 'The address {host} may not be reached, or did not answer'],
  ['INVALID_HTTP_RESPONSE', '{host} did not answer with valid HTTP'],
  ['INVALID_RESPONSE', '{host} did not answer with valid HTTP'],
  ['HTTP_RESPONSE_CODE_FAILURE', 'The page answered with an error and no content'],
  ['ABORTED', 'The address answered with a download or with nothing, not with a page'],
];

/** `{ host: 'docs.example.com:8080' }`; the address itself when it is none. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** What stopped a navigation, in one sentence; `message` is what Playwright threw. */
export function describeNavigationFailure(message: string, url: string): string {
  if (message.includes('Download is starting')) return 'The address answered with a download, not with a page';
  if (message.includes('interrupted by another navigation')) return 'The page navigated away before it had loaded';
  const code = /net::ERR_([A-Z0-9_]+)/.exec(message)?.[1];
  if (code === undefined) return `The page could not be loaded: ${message.split('\n')[0] ?? message}`;
  const known = NETWORK_FAILURES.find(([prefix]) => code.startsWith(prefix));
  return known === undefined
    ? `The page could not be loaded (ERR_${code})`
    : `${known[1].replace('{host}', hostOf(url))} (ERR_${code})`;
}

/** `The page answered 404 Not Found`: HTTP/2 carries no reason phrase, so it is always the registered one. */
export function describeStatus(status: number): string {
  return `The page answered ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
}
