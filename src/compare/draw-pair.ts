import pixelmatch from 'pixelmatch';
import { viewAsWords, type Band } from '../png/image.ts';
import { changedBands, cropBand, type Pair } from './changed-bands.ts';
import { COLOR, FADE, fadedGray, translateDrawn } from './diff-colors.ts';
import { isSameRow, startInWindow, type Window } from './window.ts';

/** A part of the drawing: its bytes, where the part's first pixel is, and how many bytes a row of the drawing has. */
export type Target = { bytes: Uint8Array; start: number; stride: number };

/** Most pixels of a page are equal to the one on their left, so the formula is computed once for each run of them. */
function fadeRow(window: Window, row: number, bytes: Uint8Array, to: number): void {
  const from = startInWindow(window, row);
  let color = -1;
  let gray = 0;
  for (let x = 0; x < window.width; x += 1) {
    const next = window.words[from + x] ?? 0;
    if (next !== color) {
      color = next;
      gray = fadedGray(window.image.pixels, (from + x) * 4);
    }
    bytes[to + x] = gray;
  }
}

/** Draws unchanged rows. */
export function fadeRows(window: Window, rows: Band, { bytes, start, stride }: Target): void {
  for (let row = rows.from; row < rows.to; row += 1) fadeRow(window, row, bytes, start + (row - rows.from) * stride);
}

/** Marks each pixel of a faded row that has other bytes, and counts them. */
function markRow({ one, other }: Pair, row: number, bytes: Uint8Array, to: number): number {
  const [from, otherFrom] = [startInWindow(one, row), startInWindow(other, row)];
  let count = 0;
  for (let x = 0; x < one.width; x += 1) {
    if (one.words[from + x] === other.words[otherFrom + x]) continue;
    bytes[to + x] = COLOR.different;
    count += 1;
  }
  return count;
}

/** Draws these rows and counts every pixel whose bytes differ. */
export function drawExact(pair: Pair, rows: Band, target: Target): number {
  let count = 0;
  fadeRows(pair.one, rows, target);
  for (let row = rows.from; row < rows.to; row += 1) {
    if (isSameRow(pair.one, row, pair.other, row)) continue;
    count += markRow(pair, row, target.bytes, target.start + (row - rows.from) * target.stride);
  }
  return count;
}

/** Copies the rows of pixelmatch's drawing of a band that are among `rows`. */
function copyDrawn(drawn: Uint32Array, band: Band, width: number, rows: Band, target: Target): number {
  let count = 0;
  for (let row = Math.max(band.from, rows.from); row < Math.min(band.to, rows.to); row += 1) {
    const from = (row - band.from) * width;
    const to = target.start + (row - rows.from) * target.stride;
    for (let x = 0; x < width; x += 1) {
      const color = translateDrawn(drawn[from + x] ?? 0);
      target.bytes[to + x] = color;
      if (color === COLOR.different) count += 1;
    }
  }
  return count;
}

/** Draws these rows and counts as pixelmatch does over the whole pair. */
export function drawJudged(pair: Pair, rows: Band, target: Target, threshold: number): number {
  const { width } = pair.one;
  let count = 0;
  fadeRows(pair.one, rows, target);
  for (const band of changedBands(pair, rows)) {
    const drawn = Buffer.allocUnsafeSlow((band.to - band.from) * width * 4);
    const [one, other] = [cropBand(pair.one, band), cropBand(pair.other, band)];
    pixelmatch(one, other, drawn, width, band.to - band.from, { threshold, alpha: FADE });
    count += copyDrawn(viewAsWords(drawn), band, width, rows, target);
  }
  return count;
}
