import { STATUS_CODES } from 'node:http';

/** Messages for Chromium's `net::ERR_…` names, by the start of the name. `{host}` is replaced. */
const NETWORK_FAILURES: [prefix: string, sentence: string][] = [
  ['NAME_NOT_RESOLVED', 'The host name {host} could not be resolved'],
  ['CONNECTION_REFUSED', 'The connection to {host} was refused'],
  ['CONNECTION_RESET', 'The connection to {host} was reset'],
  ['CONNECTION_CLOSED', '{host} closed the connection without a response'],
  ['EMPTY_RESPONSE', '{host} closed the connection without a response'],
  ['CONNECTION_TIMED_OUT', 'The connection to {host} timed out'],
  ['TIMED_OUT', 'The connection to {host} timed out'],
  ['ADDRESS_UNREACHABLE', '{host} could not be reached'],
  ['INTERNET_DISCONNECTED', '{host} could not be reached'],
  ['NETWORK', 'The network changed or went down while connecting to {host}'],
  ['CERT', 'The certificate of {host} is not valid'],
  ['SSL', 'Could not make a secure connection to {host}'],
  ['TOO_MANY_REDIRECTS', 'The page redirects too many times'],
  ['UNSAFE_PORT', 'Browsers block the port of {host}'],
  ['PROXY', 'The proxy could not be reached'],
  ['TUNNEL', '{host} is not allowed, or did not respond'],
  ['INVALID_HTTP_RESPONSE', '{host} did not send a valid HTTP response'],
  ['INVALID_RESPONSE', '{host} did not send a valid HTTP response'],
  ['HTTP_RESPONSE_CODE_FAILURE', 'The page returned an error without content'],
  ['BLOCKED_BY_CLIENT', '{host} is one of the hosts that the suite blocks'],
  ['ABORTED', 'The URL returned a download or an empty response instead of a page'],
];

/** `{ host: 'docs.example.com:8080' }`. If the URL can't be parsed, the host is the whole text. */
function parseHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** Explains in one sentence why a navigation failed. `message` is the message of Playwright's error. */
export function describeNavigationFailure(message: string, url: string): string {
  if (message.includes('Download is starting')) return 'The URL returned a download instead of a page';
  if (message.includes('interrupted by another navigation'))
    return 'The page navigated away before it finished loading';
  const code = /net::ERR_([A-Z0-9_]+)/.exec(message)?.[1];
  if (code === undefined) return `The page could not be loaded: ${message.split('\n')[0] ?? message}`;
  const known = NETWORK_FAILURES.find(([prefix]) => code.startsWith(prefix));
  return known === undefined
    ? `The page could not be loaded (ERR_${code})`
    : `${known[1].replace('{host}', parseHost(url))} (ERR_${code})`;
}

/** Explains what the filtering proxy answers when a host did not (proxy-chain's own statuses). */
export function describeNoAnswer(status: number, url: string): string {
  const host = parseHost(url);
  switch (status) {
    case 593:
      return `The host name ${host} could not be resolved`;
    case 594:
      return `The connection to ${host} was refused`;
    case 595:
    case 596:
      return `The connection to ${host} was reset`;
    default:
      return `${host} could not be reached`;
  }
}

/** Such as `The page answered 404 Not Found`. HTTP/2 has no reason phrase, so this always uses the registered one. */
export function describeStatus(status: number): string {
  return `The page returned ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
}
