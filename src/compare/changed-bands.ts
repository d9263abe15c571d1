import type { Band, Picture } from './picture.ts';
import { sliceRows } from './picture.ts';

/**
 * pixelmatch's anti-aliasing test looks at the neighbours of a pixel's neighbours, so with two rows on each side it
 * sees around every changed pixel what it would see in the whole picture. With one row the count is wrong at times.
 */
const MARGIN = 2;

function bandsAround(rows: number[], height: number): Band[] {
  const bands: Band[] = [];
  for (const row of rows) {
    const last = bands.at(-1);
    const from = Math.max(0, row - MARGIN);
    const to = Math.min(height, row + MARGIN + 1);
    if (last !== undefined && from <= last.to) last.to = to;
    else bands.push({ from, to });
  }
  return bands;
}

function changedRows(one: Picture, other: Picture): number[] {
  const length = one.width * 4;
  const rows: number[] = [];
  for (let row = 0; row < one.height; row += 1) {
    const start = row * length;
    const end = start + length;
    if (one.pixels.compare(other.pixels, start, end, start, end) !== 0) rows.push(row);
  }
  return rows;
}

function isOpaque(picture: Picture, band: Band): boolean {
  const bytes = sliceRows(picture, band);
  for (let alpha = 3; alpha < bytes.length; alpha += 4) {
    if (bytes[alpha] !== 255) return false;
  }
  return true;
}

/**
 * The rows that pixelmatch must see to count as it would over the whole of two pictures of one size, in order and
 * disjoint. Every row outside of them is the same in both.
 */
export function changedBands(one: Picture, other: Picture): Band[] {
  const bands = bandsAround(changedRows(one, other), one.height);
  const last = bands.at(-1);
  if (last === undefined || bands.every((band) => isOpaque(one, band) && isOpaque(other, band))) return bands;
  // pixelmatch lays transparent pixels on a checkerboard that counts from the first byte it is given.
  return [{ from: 0, to: last.to }];
}
