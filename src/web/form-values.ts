import { z } from 'zod';
import { NOTE_MAX_LENGTH } from '../baselines/baseline.ts';
import { tooLong } from '../text/trimmed-text.ts';
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

/** A text that may be empty. */
const optionalText = z
  .string()
  .optional()
  .transform((text) => {
    const trimmed = (text ?? '').trim();
    return trimmed === '' ? null : trimmed;
  });

/** A text in a query. Undefined if it is empty, or not a text. The rest of a longer one is left out. */
export const queryText = (most: number) =>
  z
    .string()
    .transform((text) => text.trim().slice(0, most) || undefined)
    .optional()
    .catch(undefined);

/** A reviewer's note on a new baseline version. Null if there is none. */
export const ApprovalNote = optionalText.refine(
  (note) => (note ?? '').length <= NOTE_MAX_LENGTH,
  tooLong(NOTE_MAX_LENGTH),
);

/** The maximum length of a search, in characters. */
export const SEARCH_MAX_LENGTH = 200;

/** The number of the last verdict that the page knew, in a hidden field. */
export const SeenVerdict = typedNumber(0).optional().catch(undefined);

/** The number of a page of a list, from 1. */
export const PageNumber = typedNumber(1, 100_000).catch(1);

export const PageQuery = z.object({ page: PageNumber });
