import { z } from 'zod';

/** A name that may be sent any number of times, as by check boxes: always a list. */
export const many = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value) => (value === undefined ? [] : typeof value === 'string' ? [value] : value));

/** A check box: sent only when it is ticked. */
export const checked = z
  .unknown()
  .optional()
  .transform((value) => value !== undefined);

/** A text that may be left empty. */
export const optionalText = z
  .string()
  .optional()
  .transform((text) => {
    const trimmed = (text ?? '').trim();
    return trimmed === '' ? null : trimmed;
  });

/** Characters of a search, at most: longer than any path is worth being searched for. */
export const SEARCH_MAX_LENGTH = 200;

/** An id as the database makes them; in capitals it is the same one. */
export const Id = z.guid().toLowerCase();
