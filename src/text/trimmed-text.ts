import { z } from 'zod';
import { formatNumber } from './format.ts';

/** What is wrong with a text of more than `max` characters. */
export const tooLong = (max: number) => `must be at most ${formatNumber(max)} characters`;

/** A text as people type it: trimmed, and refused beyond `max` characters. */
export const trimmedText = (max: number) => z.string().trim().max(max, tooLong(max));

/** The same, where it can't be left out. */
export const requiredText = (max: number) => trimmedText(max).min(1, 'must not be empty');
