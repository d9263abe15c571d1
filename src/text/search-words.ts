/** What separates words. The database function `search_words` (migration 047) uses the same characters. */
const SEPARATORS = /[\s!"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~]+/;

/** Further words are ignored. */
const WORDS_MAX = 8;

/** In lowercase. They can stand in a quoted lexeme, as they contain neither a quote nor a backslash. */
export function searchWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(SEPARATORS)
    .filter((word) => word !== '')
    .slice(0, WORDS_MAX);
}

/**
 * Shorter parts would occur in too many words. The database function `search_parts` (migration 049) has the same
 * bounds.
 */
const PART_LEAST = 3;
const PART_MOST = 40;

/** A term of a `tsquery` for words that contain this one. A short one is only found at the beginning of a word. */
export function searchTerm(word: string): string {
  const beginning = `'${word.slice(0, 200)}':*`;
  return word.length < PART_LEAST ? beginning : `(${beginning} | '~${word.slice(0, PART_MOST)}':*)`;
}
