import type { z } from 'zod';
import { tooLong } from '../trimmed-text.ts';

/**
 * What is wrong with a field, for the person at the form, where its schema has no words of its own. A form that was
 * written by hand, or is out of date, may leave a field out or send it twice.
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
