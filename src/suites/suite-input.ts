import { invalid } from '../errors.ts';
import { requiredText, tooLong, trimmedText } from '../text/input-words.ts';
import { parseUrl } from '../text/parse-url.ts';

/** In characters. */
export const URL_MAX_LENGTH = 2048;

/** What is wrong with an address; null for a valid one: absolute, http(s) and without credentials. */
export function httpUrlProblem(text: string): string | null {
  if (text.length > URL_MAX_LENGTH) return tooLong(URL_MAX_LENGTH);
  const url = parseUrl(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return 'must be an absolute http(s) URL';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password';
  return null;
}

/**
 * The trimmed address, as given.
 * @throws AppError invalid that names `field`, for anything but an absolute http(s) address without credentials.
 */
export function parseHttpUrl(text: string, field: string): string {
  const trimmed = text.trim();
  const problem = httpUrlProblem(trimmed);
  if (problem !== null) throw invalid(`${field} ${problem}`, [{ path: field, message: problem }]);
  return trimmed;
}

export const SUITE_NAME_MAX_LENGTH = 200;
export const DESCRIPTION_MAX_LENGTH = 5000;
/** For a repository's owner and name, and for the name of its check. In characters. */
export const LINK_NAME_MAX_LENGTH = 100;

/** What a person can set in a suite, through the API and the pages. `parseHttpUrl` checks the address later. */
export const SuiteName = requiredText(SUITE_NAME_MAX_LENGTH);
export const SuiteAddress = trimmedText(URL_MAX_LENGTH);
export const SuiteDescription = trimmedText(DESCRIPTION_MAX_LENGTH);

/** An owner, a repository or a check, by name. */
export const LinkName = requiredText(LINK_NAME_MAX_LENGTH);
