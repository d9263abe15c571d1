import { encodeTyped } from './readable-path.ts';

/** What separates words. The columns `search_text` have a space for each of them (`migrations/004-pages.ts`). */
const SEPARATORS = /[\s!"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~]+/;

/** Further words are ignored. */
const WORDS_MAX = 8;

/** In lowercase. They can stand in a pattern as they are, as they contain neither a wildcard nor a backslash. */
export function searchWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(SEPARATORS)
    .filter((word) => word !== '')
    .slice(0, WORDS_MAX);
}

/** A word as `search_text` has it of a path, where everything outside of ASCII is encoded: `東` is ` e6 9d b1`. */
export const encodedWord = (word: string): string => encodeTyped(word).toLowerCase().replaceAll('%', ' ');

/** An index knows three letters in a row, and those at the beginning of a word. */
const PART_LEAST = 3;

/** A pattern for `search_text`: words that have this one in them. A short one is found at the beginning only. */
export const searchPattern = (word: string): string => (word.length < PART_LEAST ? `% ${word}%` : `%${word}%`);

/** A pattern for `ilike`: the text as it is, anywhere. */
export const anywhere = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
