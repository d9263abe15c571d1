import { trimmedText } from '../text/trimmed-text.ts';
import { URL_MAX_LENGTH } from './http-url.ts';

export const SUITE_NAME_MAX_LENGTH = 200;
export const DESCRIPTION_MAX_LENGTH = 5000;
/** For a repository's owner and name, and for the name of its check. In characters. */
export const LINK_NAME_MAX_LENGTH = 100;

/** What a person can set in a suite, through the API and the pages. `parseHttpUrl` checks the address later. */
export const SuiteName = trimmedText(SUITE_NAME_MAX_LENGTH).min(1, 'must not be empty');
export const SuiteAddress = trimmedText(URL_MAX_LENGTH);
export const SuiteDescription = trimmedText(DESCRIPTION_MAX_LENGTH);

/** An owner, a repository or a check, by name. */
export const LinkName = trimmedText(LINK_NAME_MAX_LENGTH).min(1, 'must not be empty');
