import { joinSql, type Sql } from '../../db/database.ts';
import { searchPattern, searchWords } from '../../text/search-words.ts';

/** In characters. */
export const SEARCH_MAX_LENGTH = 200;

/** A commit's SHA-1 or SHA-256, or the beginning of one. */
export const SHA_BEGINNING = /^[0-9a-f]{4,64}$/;

const isNumber = (number: string): Sql => ['(number = ? or git_pr_number = ?)', [Number(number), Number(number)]];

/** True for a run that has the word. */
function hasWord(word: string): Sql {
  const conditions: Sql[] = [['search_text like ?', [searchPattern(word)]]];
  if (/^\d{1,9}$/.test(word)) conditions.push(isNumber(word));
  if (SHA_BEGINNING.test(word)) conditions.push(['git_head_sha ilike ?', [`${word}%`]]);
  const [any, bindings] = joinSql(conditions, ' or ');
  return [`(${any})`, bindings];
}

/**
 * A search as a condition on `test_runs`, with its bindings: each word is a part of a word of the branch, the title of the
 * pull request or the commit's message, the number of the run or of the pull request, or the beginning of the commit's
 * SHA. `#12` is a number only. Without a word, nothing is found.
 */
export function searchSql(text: string): Sql {
  const number = /^\s*#(\d{1,9})\s*$/.exec(text)?.[1];
  if (number !== undefined) return isNumber(number);
  const words = searchWords(text).map(hasWord);
  return words.length === 0 ? ['false', []] : joinSql(words, ' and ');
}
