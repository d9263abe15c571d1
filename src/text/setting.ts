import { z } from 'zod';
import { errorMessage } from '../errors.ts';
import { parseUrl } from './parse-url.ts';

/*
 * The types of values in environment variables.
 */

const UNIT_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Added to a time, longer ones may give none. */
const MOST_MS = 36_500 * 86_400_000;

export const duration = z
  .string()
  .regex(/^[1-9]\d*[smhd]$/, 'must be a number and a unit, such as 30m or 7d')
  .transform((text) => Number(text.slice(0, -1)) * (UNIT_MS[text.slice(-1)] ?? 0))
  .refine((milliseconds) => milliseconds <= MOST_MS, 'must be at most 36500d');
export const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');
/** A base: paths are appended to it. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) URL' })
  .refine((text) => !/[?#]/.test(text), 'must be an http(s) URL without ? and #');
/**
 * A URL that may have a password. Those who use it later would say only that it is invalid.
 * @param complete adds what the standard wants and its user does not
 */
export const urlWith = (scheme: RegExp, what: string, complete = (text: string) => text) =>
  z
    .string()
    .regex(scheme, { error: `must be ${what}`, abort: true })
    .refine(
      (text) => parseUrl(complete(text)) !== null,
      `must be ${what}, with %2F, %3F and %23 for /, ? and # in a password`,
    );
export const list = z.string().transform((text) => text.split(',').map((part) => part.trim().toLowerCase()));
export const parsedBy = (parse: (text: string) => string) =>
  z.string().transform((text, context) => {
    try {
      return parse(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: errorMessage(error) });
      return z.NEVER;
    }
  });
export const secret = z.string().refine((text) => Buffer.byteLength(text) >= 32, 'must be at least 32 bytes');
