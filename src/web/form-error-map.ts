import type { z } from 'zod';
import { tooLong } from '../text/trimmed-text.ts';

/**
 * Messages for people at a form, for fields whose schema has none of its own. A handwritten or outdated form may omit
 * a field or send it twice.
 */
export const formErrorMap: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return Array.isArray(issue.input) ? 'was sent more than once' : 'must not be empty';
    case 'invalid_value':
    case 'invalid_union':
      return 'must be one of the available options';
    case 'too_big':
      return issue.origin === 'string' ? tooLong(Number(issue.maximum)) : undefined;
    default:
      return undefined;
  }
};
