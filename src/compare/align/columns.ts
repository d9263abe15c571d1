import type { Window } from '../window.ts';

/**
 * Ignored areas that are painted over. `fractions`: one of them ends within a pixel, so positions below may be rounded.
 */
export type Masked = { fractions: boolean };

/** The same columns of both images. Row 0 is the first row of the image. `masked` is null where nothing is ignored. */
export type Columns = { baseline: Window; current: Window; masked: Masked | null };

/** Some of these columns, `x` counted as in the images. */
export const narrowTo = (
  { baseline, current, masked }: Columns,
  { x, width }: { x: number; width: number },
): Columns => ({ baseline: { ...baseline, x, width }, current: { ...current, x, width }, masked });
