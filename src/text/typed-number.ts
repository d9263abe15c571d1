import { z } from 'zod';

/*
 * Numbers as they are typed: in digits. Other texts that JavaScript accepts as numbers are refused, such as `1e1`,
 * `0x10`, ` 10` and the empty text.
 */

const WHOLE = /^\d{1,15}$/;
const DECIMAL = /^-?(?:\d{1,15}(?:\.\d{1,20})?|\.\d{1,20})$/;
const FRACTION_DIGITS = 20;

export const isWholeNumber = (typed: unknown): boolean => typeof typed === 'string' && WHOLE.test(typed);

/**
 * A whole number from `least` to `most`, in a query, a form or an environment variable. A number is accepted as it is.
 */
export const typedNumber = (least: number, most: number = Number.MAX_SAFE_INTEGER) =>
  z.preprocess(
    (typed) => (typeof typed === 'number' ? String(typed) : typed),
    z
      .string()
      .regex(WHOLE, 'must be a whole number')
      .transform(Number)
      .pipe(z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`)),
  );

/** A number that may have decimals. NaN: it is none. */
export const readNumber = (typed: string): number => (DECIMAL.test(typed) ? Number(typed) : Number.NaN);

/** The text that `readNumber` reads back, even where JavaScript would write `1e-7`. */
export function writeNumber(value: number): string {
  const text = String(value);
  return DECIMAL.test(text) ? text : value.toFixed(FRACTION_DIGITS).replace(/\.?0{1,20}$/, '');
}
