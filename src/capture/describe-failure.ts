import { errorMessage } from '../errors.ts';
import type { FailureCode } from '../net/failure-code.ts';
import { isRefusal, type Wall } from '../net/recognize-wall.ts';
import { formatStatus } from '../text/format.ts';
import { parseUrl } from '../text/parse-url.ts';
import { CaptureError } from './browser/browser.ts';

/** Chromium's `net::ERR_…` names, by the start of the name. `{host}` is replaced. */
const NETWORK_FAILURES: [prefix: string, sentence: string, code?: FailureCode][] = [
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
  ['CONTENT_LENGTH_MISMATCH', '{host} closed the connection in the middle of the page'],
  ['INCOMPLETE_CHUNKED_ENCODING', '{host} closed the connection in the middle of the page'],
  ['TOO_MANY_REDIRECTS', 'The page redirects too many times'],
  ['UNSAFE_PORT', 'Browsers block the port of {host}'],
  ['PROXY', 'The proxy could not be reached'],
  ['TUNNEL', '{host} is not allowed, or did not respond'],
  ['INVALID_HTTP_RESPONSE', '{host} did not send a valid HTTP response'],
  ['INVALID_RESPONSE', '{host} did not send a valid HTTP response'],
  ['HTTP_RESPONSE_CODE_FAILURE', 'The page returned an error without content', 'status'],
  ['BLOCKED_BY_CLIENT', '{host} is one of the hosts that the suite blocks', 'blocked'],
  ['ABORTED', 'The URL returned a download or an empty response instead of a page', 'other'],
];

/** `{ host: 'docs.example.com:8080' }`. If the URL can't be parsed, the host is the whole text. */
const parseHost = (url: string): string => parseUrl(url)?.host ?? url;

/** Explains in one sentence why a navigation failed. `cause` is Playwright's error. */
export function notLoaded(cause: unknown, url: string): CaptureError {
  const message = errorMessage(cause);
  const told = (sentence: string, code?: FailureCode) => new CaptureError(sentence, { cause, code });
  if (message.includes('Download is starting')) return told('The URL returned a download instead of a page');
  if (message.includes('interrupted by another navigation'))
    return told('The page navigated away before it finished loading');
  const name = /net::ERR_([A-Z0-9_]+)/.exec(message)?.[1];
  if (name === undefined) return told(`The page could not be loaded: ${message.split('\n')[0] ?? message}`);
  const known = NETWORK_FAILURES.find(([prefix]) => name.startsWith(prefix));
  const [, sentence = 'The page could not be loaded', code = 'network'] = known ?? [];
  return told(`${sentence.replace('{host}', parseHost(url))} (ERR_${name})`, code);
}

/** The statuses of the filtering proxy itself (proxy-chain's own). */
const NO_ANSWERS: Partial<Record<number, string>> = {
  593: 'The host name {host} could not be resolved',
  594: 'The connection to {host} was refused',
  595: 'The connection to {host} was reset',
  596: 'The connection to {host} was reset',
};

/** Explains what the filtering proxy answers when a host did not. */
export function notAnswered(status: number, url: string): CaptureError {
  const sentence = NO_ANSWERS[status] ?? '{host} could not be reached';
  return new CaptureError(sentence.replace('{host}', parseHost(url)), { code: 'network' });
}

/** Such as `The page answered 404 Not Found`. HTTP/2 has no reason phrase, so this always uses the registered one. */
export function describeStatus(status: number): string {
  return `The page returned ${formatStatus(status)}`;
}

function classify(status: number): FailureCode {
  if (isRefusal(status)) return 'wall';
  if (status === 404 || status === 410) return 'gone';
  if (status === 429) return 'limited';
  return status >= 500 ? 'broken' : 'status';
}

/** The server answered with an error. */
export function refusedWith(status: number, wall: Wall | null = null): CaptureError {
  return new CaptureError(describeStatus(status), { code: classify(status), wall });
}
