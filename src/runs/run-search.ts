import { searchTerm, searchWords } from '../text/search-words.ts';

/** In characters. */
export const SEARCH_MAX_LENGTH = 200;

const quoted = (sign: string, word: string) => `'${sign}${word}'`;

function termOf(word: string): string {
  const number = /^\d{1,9}$/.test(word) ? [quoted('#', String(Number(word)))] : [];
  const commit = /^[0-9a-f]{4,40}$/.test(word) ? [`${quoted('@', word)}:*`] : [];
  return `(${[searchTerm(word), ...number, ...commit].join(' | ')})`;
}

/**
 * The words of a search as PostgreSQL's `tsquery`: each is a part of a word of the branch, the title of the pull
 * request or the commit's message, the number of the run or of the pull request, or the beginning of the commit's SHA.
 * `#12` is a number only. Null when there is no word in it.
 */
export function toSearchQuery(text: string): string | null {
  const number = /^\s*#(\d{1,9})\s*$/.exec(text)?.[1];
  if (number !== undefined) return quoted('#', String(Number(number)));
  const words = searchWords(text);
  return words.length === 0 ? null : words.map(termOf).join(' & ');
}
