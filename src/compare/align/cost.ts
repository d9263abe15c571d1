import type { Window } from '../window.ts';
import { countDifferent, isSameRow } from '../window.ts';
import type { Hunk } from './run.ts';

/** The same columns of both images. Row 0 is the first row of the image. */
export type Columns = { baseline: Window; current: Window };

/** How many rows of a large hunk are looked at. The decisions are made by these; what counts is counted exactly. */
const SAMPLES = 48;

/** About how many pixels differ between `rows` rows from `a` and as many from `b` on. */
function estimate({ baseline, current }: Columns, a: number, b: number, rows: number): number {
  const step = Math.max(1, Math.floor(rows / SAMPLES));
  let count = 0;
  let looked = 0;
  for (let row = 0; row < rows; row += step) {
    count += countDifferent(baseline, a + row, current, b + row);
    looked += 1;
  }
  return looked === 0 ? 0 : Math.round((count / looked) * rows);
}

/**
 * How two stretches of different height are laid over each other, about how many pixels then differ, and how many were
 * compared to know it.
 */
export type Fit = { cost: number; at: 'top' | 'bottom'; compared: number };

/** Lays the shorter stretch on the top or on the bottom of the taller one, whichever has fewer differing pixels. */
export function fitHunk(columns: Columns, { a, aEnd, b, bEnd }: Hunk): Fit {
  const rows = Math.min(aEnd - a, bEnd - b);
  const lone = Math.abs(aEnd - a - (bEnd - b)) * columns.baseline.width;
  const compared = Math.min(rows, 2 * SAMPLES) * columns.baseline.width;
  const top = estimate(columns, a, b, rows);
  if (lone === 0) return { cost: top, at: 'top', compared };
  const bottom = estimate(columns, aEnd - rows, bEnd - rows, rows);
  return { cost: lone + Math.min(top, bottom), at: top <= bottom ? 'top' : 'bottom', compared: 2 * compared };
}

/** The part of the hunk without the equal rows at its top and bottom. */
export function trimEqual({ baseline, current }: Columns, hunk: Hunk): Hunk {
  const rest = { ...hunk };
  while (rest.a < rest.aEnd && rest.b < rest.bEnd && isSameRow(baseline, rest.a, current, rest.b)) {
    rest.a += 1;
    rest.b += 1;
  }
  while (rest.a < rest.aEnd && rest.b < rest.bEnd && isSameRow(baseline, rest.aEnd - 1, current, rest.bEnd - 1)) {
    rest.aEnd -= 1;
    rest.bEnd -= 1;
  }
  return rest;
}
