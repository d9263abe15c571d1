import type { Band, Image } from './image.ts';
import { sliceRows } from './image.ts';

/**
 * pixelmatch's anti-aliasing test looks at the neighbors of a pixel's neighbors. With two rows on each side, it sees
 * the same pixels around a changed pixel as in the whole image. With one row, the count is sometimes wrong.
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

function changedRows(one: Image, other: Image): number[] {
  const length = one.width * 4;
  const rows: number[] = [];
  for (let row = 0; row < one.height; row += 1) {
    const start = row * length;
    const end = start + length;
    if (one.pixels.compare(other.pixels, start, end, start, end) !== 0) rows.push(row);
  }
  return rows;
}

function isOpaque(image: Image, band: Band): boolean {
  const bytes = sliceRows(image, band);
  for (let alpha = 3; alpha < bytes.length; alpha += 4) {
    if (bytes[alpha] !== 255) return false;
  }
  return true;
}

/**
 * The rows that pixelmatch must see to count the same as over two whole images of the same size, in order and disjoint.
 * All other rows are the same in both images.
 */
export function changedBands(one: Image, other: Image): Band[] {
  const bands = bandsAround(changedRows(one, other), one.height);
  const last = bands.at(-1);
  if (last === undefined || bands.every((band) => isOpaque(one, band) && isOpaque(other, band))) return bands;
  // pixelmatch draws transparent pixels on a checkerboard that starts at the first byte it is given.
  return [{ from: 0, to: last.to }];
}
