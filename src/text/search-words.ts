/** What separates words. The database function `search_words` (`migrations/004-pages.ts`) uses the same characters. */
const SEPARATORS = /[\s!"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~]+/;

/** More words than that are not looked for. */
const WORDS_MAX = 8;

/** In lowercase. They can stand in a quoted lexeme, as they contain neither a quote nor a backslash. */
export function searchWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(SEPARATORS)
    .filter((word) => word !== '')
    .slice(0, WORDS_MAX);
}

/** Shorter ones would be in too many words. The database function `search_parts` (`migrations/004-pages.ts`) has the same bounds. */
const PART_LEAST = 3;
const PART_MOST = 40;

/** A term of a `tsquery`: words that begin with this one or have it in them. A short one is found at the beginning only. */
export function searchTerm(word: string): string {
  const beginning = `'${word.slice(0, 200)}':*`;
  return word.length < PART_LEAST ? beginning : `(${beginning} | '~${word.slice(0, PART_MOST)}':*)`;
}
