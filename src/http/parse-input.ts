import type { z } from 'zod';
import { invalid, type Issue } from '../errors.ts';
import { isBadText } from '../text/bad-text.ts';

const BAD_TEXT = 'must not contain NUL or an unpaired surrogate';

/** PostgreSQL can't store these in text or jsonb. The input has passed its schema, so it is never nested deeply. */
function badTexts(value: unknown, path: string): Issue[] {
  if (typeof value === 'string') {
    return isBadText(value) ? [{ path, message: BAD_TEXT }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => badTexts(part, path === '' ? key : `${path}.${key}`));
}

/**
 * Parses params, query or body once, at the edge. Drops fields that the schema does not define.
 * @param words messages for fields whose schema has none of its own
 * @throws ZodError, AppError invalid: both become a 400 that names each field.
 */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown, words?: z.core.$ZodErrorMap): z.output<S> {
  const parsed = schema.parse(value, words === undefined ? {} : { error: words });
  const issues = badTexts(parsed, '');
  if (issues.length > 0) throw invalid('The request is not valid', issues);
  return parsed;
}
