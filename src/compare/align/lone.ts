import type { Piece } from '../layout.ts';
import { MASK } from '../mask-boxes.ts';
import { isSameRow, startInWindow, type Window } from '../window.ts';
import type { Columns } from './columns.ts';

/** Rows of the baseline, of the current image, or of both. */
export type Rows = Pick<Piece, 'baselineY' | 'currentY' | 'height'>;

type Stretch = { window: Window; top: number; height: number };

/** How many rows longer the current image is there. */
export const growth = ({ baselineY, height }: Rows) => (baselineY === null ? height : -height);

/** The rows in the image that has them. Null for rows of both. */
function findLone({ baseline, current }: Columns, { baselineY, currentY, height }: Rows): Stretch | null {
  if (baselineY === null) return currentY === null ? null : { window: current, top: currentY, height };
  return currentY === null ? { window: baseline, top: baselineY, height } : null;
}

/** The first pixel from this row on, upwards or downwards, that is not ignored. */
function findBeyond(window: Window, x: number, from: number, step: 1 | -1): number {
  for (let row = from; row >= 0 && row < window.image.height; row += step) {
    const word = window.words[startInWindow(window, row) + x] ?? MASK;
    if (word !== MASK) return word;
  }
  return MASK;
}

/**
 * True if each column of pixels continues as in the row `beside`, or beyond what is ignored there. Ignored pixels may
 * have any color.
 */
function goesOn({ window, top, height }: Stretch, beside: number): boolean {
  const { words, width } = window;
  const from = startInWindow(window, beside);
  const column = words.slice(from, from + width);
  const away = beside < top ? -1 : 1;
  for (let row = top; row < top + height; row += 1) {
    if (isSameRow(window, row, window, beside)) continue;
    const start = startInWindow(window, row);
    for (let x = 0; x < width; x += 1) {
      const word = words[start + x] ?? MASK;
      if (word === MASK) continue;
      if (column[x] === MASK) column[x] = findBeyond(window, x, beside, away);
      if (column[x] !== word) return false;
    }
  }
  return true;
}

/** True when the rows are all the same, and the same as the row above or below them. */
function isRepeated(stretch: Stretch, masked: boolean): boolean {
  const { window, top, height } = stretch;
  return [top - 1, top + height]
    .filter((row) => row >= 0 && row < window.image.height)
    .some((beside) => {
      if (masked) return goesOn(stretch, beside);
      for (let row = top; row < top + height; row += 1) if (!isSameRow(window, row, window, beside)) return false;
      return true;
    });
}

/** True for rows of one image alone that only stretch what is above or below them. */
export function isStretch(columns: Columns, rows: Rows): boolean {
  const lone = findLone(columns, rows);
  return lone !== null && isRepeated(lone, columns.masked !== null);
}

/** True when all these rows are the same. */
export function isUniform({ baseline, current }: Columns, { baselineY, currentY, height }: Rows): boolean {
  const [window, top] = baselineY === null ? [current, currentY ?? 0] : [baseline, baselineY];
  for (let row = top + 1; row < top + height; row += 1) if (!isSameRow(window, row, window, top)) return false;
  return true;
}

function isMasked(window: Window, row: number): boolean {
  if (row < 0 || row >= window.image.height) return false;
  const start = startInWindow(window, row);
  return window.words.subarray(start, start + window.width).includes(MASK);
}

/** True for rows of one image alone that follow something ignored. */
export function isBelowIgnored(columns: Columns, rows: Rows): boolean {
  const lone = columns.masked && findLone(columns, rows);
  return lone !== null && isMasked(lone.window, lone.top - 1);
}

/** Layout uses fractions of a pixel: content below moves by up to a row more or less than the element grew. */
export const ROUNDED = 1;

/**
 * True for rows of one image alone by which an ignored element is taller there: the element is in each row, and
 * everything beside it continues from above or below. If only one image has the element, its margins count as well.
 */
export function isIgnoredGrowth(columns: Columns, rows: Rows): boolean {
  const lone = columns.masked && findLone(columns, rows);
  if (columns.masked === null || lone === null || lone.height === 0) return false;
  const { window, top, height } = lone;
  const bottom = top + height;
  const masked = Array.from({ length: height }, (_, row) => isMasked(window, top + row));
  const isWhole =
    !(masked[0] === true && isMasked(window, top - 1)) && !(masked.at(-1) === true && isMasked(window, bottom));
  const beside = masked.filter((isIgnored) => !isIgnored).length;
  if (beside === height || (!isWhole && beside > (columns.masked.fractions ? ROUNDED : 0))) return false;
  return isRepeated(lone, true);
}
