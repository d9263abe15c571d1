import type { z } from 'zod';
import { formatNumber } from '../format.ts';

/**
 * Says what is wrong with a field to the person at the form, where its schema has no words of its own: a form by hand or
 * an old one may leave a field out or send it twice, and knows nothing of types.
 */
export const inFormWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return Array.isArray(issue.input) ? 'was sent more than once' : 'must not be empty';
    case 'invalid_value':
    case 'invalid_union':
      return 'must be one of the available options';
    case 'too_big':
      return issue.origin === 'string'
        ? `must be at most ${formatNumber(Number(issue.maximum))} characters`
        : undefined;
    default:
      return undefined;
  }
};
