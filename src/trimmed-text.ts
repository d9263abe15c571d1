import { z } from 'zod';

/** What is wrong with a text of more than `max` characters. */
export const tooLong = (max: number) => `must be at most ${max.toLocaleString('en')} characters`;

/** A text as people type it: trimmed, and refused beyond `max` characters. */
export const trimmedText = (max: number) => z.string().trim().max(max, tooLong(max));
