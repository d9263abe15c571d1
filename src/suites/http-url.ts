import { invalid } from '../errors.ts';
import { parseUrl } from '../text/parse-url.ts';
import { tooLong } from '../text/trimmed-text.ts';

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
