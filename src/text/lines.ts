/** The lines of a text, trimmed, without empty ones. */
export const splitLines = (text = ''): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The first line that is not empty, at most 500 characters. */
export const firstLine = (text: string): string => (splitLines(text)[0] ?? '').slice(0, 500);

export const inOneLine = (text: string): string => splitLines(text).join(' ');
