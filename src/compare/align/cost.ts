import { MASK } from '../mask-boxes.ts';
import { countDifferent, startInWindow } from '../window.ts';
import type { Columns } from './columns.ts';
import { isIgnoredGrowth, isStretch, type Rows } from './lone.ts';
import type { Hunk } from './run.ts';

/** How many rows of a large hunk are sampled for decisions. The final count is exact. */
const SAMPLES = 48;

/** True if a pixel is ignored in only one of the rows, so that the content of the other would be hidden. */
function hides({ baseline, current, masked }: Columns, a: number, b: number): boolean {
  if (masked === null) return false;
  const [start, other] = [startInWindow(baseline, a), startInWindow(current, b)];
  for (let x = 0; x < baseline.width; x += 1) {
    if ((baseline.words[start + x] === MASK) !== (current.words[other + x] === MASK)) return true;
  }
  return false;
}

/** The cost of two rows laid one below the other, so that nothing is hidden where this is possible. */
function rowCost(columns: Columns, a: number, b: number): number {
  const { baseline, current } = columns;
  return hides(columns, a, b) ? 2 * baseline.width : countDifferent(baseline, a, current, b);
}

/** About how many pixels differ between `rows` rows from `a` and as many from `b` on. */
function estimate(columns: Columns, a: number, b: number, rows: number): number {
  const step = Math.max(1, Math.floor(rows / SAMPLES));
  let count = 0;
  let looked = 0;
  for (let row = 0; row < rows; row += step) {
    count += rowCost(columns, a + row, b + row);
    looked += 1;
  }
  return looked === 0 ? 0 : Math.round((count / looked) * rows);
}

/**
 * How many pixels differ where only one image has rows: all of them. Blank rows beside something ignored cost nothing,
 * because it may have caused them.
 */
function costAlone(columns: Columns, rows: Rows): number {
  return columns.masked !== null && isStretch(columns, rows) ? 0 : rows.height * columns.baseline.width;
}

function rowsAlone({ a, aEnd, b, bEnd }: Hunk): Rows {
  const [before, after] = [aEnd - a, bEnd - b];
  return { baselineY: before > 0 ? a : null, currentY: after > 0 ? b : null, height: Math.max(before, after) };
}

/**
 * How two stretches of different height are placed over each other, about how many pixels then differ, and how many
 * were compared to find out.
 */
export type Fit = { cost: number; at: 'top' | 'bottom' | 'apart'; compared: number };

/** Places the shorter stretch at the top or the bottom of the taller one, whichever has fewer differing pixels. */
function fitOver(columns: Columns, { a, aEnd, b, bEnd }: Hunk): Fit {
  const rows = Math.min(aEnd - a, bEnd - b);
  const [loneA, loneB] = [aEnd - a - rows, bEnd - b - rows];
  const compared = Math.min(rows, 2 * SAMPLES) * columns.baseline.width;
  const top = estimate(columns, a, b, rows) + costAlone(columns, rowsAlone({ a: a + rows, aEnd, b: b + rows, bEnd }));
  if (loneA === 0 && loneB === 0) return { cost: top, at: 'top', compared };
  const above = costAlone(columns, rowsAlone({ a, aEnd: a + loneA, b, bEnd: b + loneB }));
  const bottom = estimate(columns, a + loneA, b + loneB, rows) + above;
  return { cost: Math.min(top, bottom), at: top <= bottom ? 'top' : 'bottom', compared: 2 * compared };
}

/**
 * Like `fitOver`, or one below the other, so that the additional rows of an ignored element don't cover and hide other
 * content.
 */
export function fitHunk(columns: Columns, hunk: Hunk): Fit {
  const over = fitOver(columns, hunk);
  const alone = [rowsAlone({ ...hunk, bEnd: hunk.b }), rowsAlone({ ...hunk, aEnd: hunk.a })];
  if (columns.masked === null || alone.some(({ height }) => height === 0)) return over;
  if (!alone.some((rows) => isIgnoredGrowth(columns, rows))) return over;
  const apart = alone.reduce((sum, rows) => sum + costAlone(columns, rows), 0);
  return apart <= over.cost ? { ...over, cost: apart, at: 'apart' } : over;
}
