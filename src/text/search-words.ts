/** What separates words. The database function `search_words` (migration 047) uses the same characters. */
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
