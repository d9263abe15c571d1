import { z } from 'zod';
import { typedNumber } from '../text/typed-number.ts';

/** A field that may be sent any number of times, such as check boxes. Always a list. */
export const many = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value) => (value === undefined ? [] : typeof value === 'string' ? [value] : value));

/** A check box. Browsers send it only when it is ticked. */
export const checked = z
  .unknown()
  .optional()
  .transform((value) => value !== undefined);

/** A text in a query. Undefined if it is empty, or not a text. The rest of a longer one is left out. */
export const queryText = (most: number) =>
  z
    .string()
    .transform((text) => text.trim().slice(0, most) || undefined)
    .optional()
    .catch(undefined);

/** The number of the last verdict that the page knew, in a hidden field. */
export const SeenVerdict = typedNumber(0).optional().catch(undefined);

/** The number of a page of a list, from 1. */
export const PageNumber = typedNumber(1, 100_000).catch(1);

export const PageQuery = z.object({ page: PageNumber });
