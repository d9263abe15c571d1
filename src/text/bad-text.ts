/** PostgreSQL can't store NUL or half of a surrogate pair in text or jsonb. */
const BAD = /[\0\p{Surrogate}]/gu;

export const isBadText = (text: string): boolean => text.search(BAD) !== -1;

/** The text as it can be stored: somebody else wrote it. */
export const storableText = (text: string): string => text.replaceAll(BAD, '\uFFFD');

/** Whether a value has such a text, at any depth. It must not be nested deeply. */
export function hasBadText(value: unknown): boolean {
  if (typeof value === 'string') return isBadText(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasBadText);
}
