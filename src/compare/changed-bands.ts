import { cropRows, type Band } from '../png/image.ts';
import { isSameRow, type Window } from './window.ts';

/**
 * pixelmatch's anti-aliasing test looks at the neighbors of a pixel's neighbors. With two rows on each side, it sees
 * the same pixels around a changed pixel as in the whole image. With one row, the count is sometimes wrong.
 */
const MARGIN = 2;

/** Two windows of one width, and how many rows they have. */
export type Pair = { one: Window; other: Window; height: number };

function bandsAround(changed: number[], height: number): Band[] {
  const bands: Band[] = [];
  for (const row of changed) {
    const last = bands.at(-1);
    const from = Math.max(0, row - MARGIN);
    const to = Math.min(height, row + MARGIN + 1);
    if (last !== undefined && from <= last.to) last.to = to;
    else bands.push({ from, to });
  }
  return bands;
}

function changedRows({ one, other }: Pair, rows: Band): number[] {
  const changed: number[] = [];
  for (let row = rows.from; row < rows.to; row += 1) {
    if (!isSameRow(one, row, other, row)) changed.push(row);
  }
  return changed;
}

/** A copy of the band's pixels, without those outside of the window. */
export function cropBand({ image, x, width, top }: Window, { from, to }: Band): Buffer {
  return cropRows(image, x, width, { from: top + from, to: top + to });
}

function isOpaque(window: Window, band: Band): boolean {
  const bytes = cropBand(window, band);
  for (let alpha = 3; alpha < bytes.length; alpha += 4) {
    if (bytes[alpha] !== 255) return false;
  }
  return true;
}

/**
 * The rows that pixelmatch must see to judge these rows as it does over the whole pair, in order and disjoint. The
 * remaining rows are equal in both windows.
 */
export function changedBands(pair: Pair, rows: Band): Band[] {
  const bands = bandsAround(changedRows(pair, rows), pair.height);
  const last = bands.at(-1);
  if (last === undefined || bands.every((band) => isOpaque(pair.one, band) && isOpaque(pair.other, band))) return bands;
  // pixelmatch draws transparent pixels on a checkerboard that starts at the first byte it is given.
  return [{ from: 0, to: last.to }];
}
