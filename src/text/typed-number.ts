import { z } from 'zod';

/*
 * Numbers as they are typed: in digits. What JavaScript also takes for a number is refused, such as `1e1`, `0x10`, ` 10`
 * and nothing at all.
 */

const WHOLE = /^\d{1,15}$/;
const DECIMAL = /^-?(?:\d{1,15}(?:\.\d{1,20})?|\.\d{1,20})$/;
const FRACTION_DIGITS = 20;

export const isWholeNumber = (typed: unknown): boolean => typeof typed === 'string' && WHOLE.test(typed);

/** A whole number from `least` to `most`, of a query, a form or a variable. What was read already is read the same. */
export const typedNumber = (least: number, most: number = Number.MAX_SAFE_INTEGER) =>
  z.preprocess(
    (typed) => (typeof typed === 'number' ? String(typed) : typed),
    z.string().regex(WHOLE, 'must be a whole number').transform(Number).pipe(z.number().min(least).max(most)),
  );

/** A number that may have decimals. NaN: it is none. */
export const readNumber = (typed: string): number => (DECIMAL.test(typed) ? Number(typed) : Number.NaN);

/** As `readNumber` reads it, where JavaScript would write `1e-7`. */
export function writeNumber(value: number): string {
  const text = String(value);
  return DECIMAL.test(text) ? text : value.toFixed(FRACTION_DIGITS).replace(/\.?0{1,20}$/, '');
}
