import { z } from 'zod';
import { formatNumber } from './format.ts';

/** What is wrong with a text of more than `max` characters. */
export const tooLong = (max: number) => `must be at most ${formatNumber(max)} characters`;

/** A text as people type it: trimmed, and refused beyond `max` characters. */
export const trimmedText = (max: number) => z.string().trim().max(max, tooLong(max));

/** The same, where it can't be left out. */
export const requiredText = (max: number) => trimmedText(max).min(1, 'must not be empty');

const KINDS: Partial<Record<string, string>> = {
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
};

/** What to say about a value of another type. `expected`: Zod's name of the type. Undefined: what Zod says. */
export const otherType = (expected: string): string | undefined => KINDS[expected];

/** Messages for fields whose schema has none of its own, in place of Zod's. */
export const inputWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : otherType(issue.expected);
    case 'too_big': {
      const most = Number(issue.maximum);
      if (issue.origin === 'string') return tooLong(most);
      return `must ${issue.origin === 'array' ? 'have' : 'be'} at most ${formatNumber(most)}`;
    }
    case 'too_small': {
      const least = Number(issue.minimum);
      if (issue.origin === 'string') return least === 1 ? 'must not be empty' : undefined;
      return `must ${issue.origin === 'array' ? 'have' : 'be'} at least ${formatNumber(least)}`;
    }
    default:
      return undefined;
  }
};
