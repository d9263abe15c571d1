import pixelmatch from 'pixelmatch';
import { viewAsWords, type Band, type Image } from '../png/image.ts';
import type { Box } from './box.ts';
import { changedBands, cropBand, type Pair } from './changed-bands.ts';
import { COLOR, FADE, fadedGray, translateDrawn } from './diff-colors.ts';
import type { Layout, Piece } from './layout.ts';
import { isSameRow, openWindow, startInWindow, type Window } from './window.ts';

/** A part of the drawing: its bytes, where the part's first pixel is, and how many bytes a row of the drawing has. */
type Target = { bytes: Uint8Array; start: number; stride: number };

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
function fadeRows(window: Window, rows: Band, { bytes, start, stride }: Target): void {
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
function drawExact(pair: Pair, rows: Band, target: Target): number {
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
function drawJudged(pair: Pair, rows: Band, target: Target, threshold: number): number {
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

/** Two images, how they are lined up, and which boxes of the canvas are not judged. */
export type Scene = { baseline: Image; current: Image; layout: Layout; ignored: Box[] };

/**
 * How many pixels differ outside of the ignored boxes, and inside of them. `cells` are the squares in which something
 * differs, which a person has to look at.
 */
export type Tally = { different: number; ignored: number; cells: number };

/** The side of a cell, px: about a line of text. */
const CELL = 16;

function fillRows(width: number, rows: Band, { bytes, start, stride }: Target): number {
  for (let row = rows.from; row < rows.to; row += 1) {
    const from = start + (row - rows.from) * stride;
    bytes.fill(COLOR.different, from, from + width);
  }
  return (rows.to - rows.from) * width;
}

/** An ignored element that is taller in one image differs there, although nothing beside it does. */
function fillIgnored({ ignored }: Scene, { x, y, width }: Piece, rows: Band, target: Target): number {
  let count = 0;
  for (let row = rows.from; row < rows.to; row += 1) {
    const start = target.start + (row - rows.from) * target.stride;
    const drawn = target.bytes.subarray(start, start + width);
    for (const { left, top, right, bottom } of ignored) {
      if (y + row < top || y + row >= bottom) continue;
      const [from, to] = [Math.max(left - x, 0), Math.min(right - x, width)];
      for (let at = from; at < to; at += 1) {
        if (drawn[at] !== COLOR.different) count += 1;
        drawn[at] = COLOR.different;
      }
    }
  }
  return count;
}

/** Draws these rows of a piece, and counts what differs in them. */
function drawPiece(scene: Scene, piece: Piece, rows: Band, threshold: number, target: Target): number {
  const { baseline, current } = scene;
  const { x, width, height, baselineY, currentY } = piece;
  const before = baselineY === null ? null : openWindow(baseline, { x, width, top: baselineY });
  const after = currentY === null ? null : openWindow(current, { x, width, top: currentY });
  if (before !== null && after !== null) {
    const pair: Pair = { one: before, other: after, height };
    return threshold === 0 ? drawExact(pair, rows, target) : drawJudged(pair, rows, target, threshold);
  }
  const lone = before ?? after;
  if (lone === null || !piece.filler) return fillRows(width, rows, target);
  fadeRows(lone, rows, target);
  return fillIgnored(scene, piece, rows, target);
}

/** Gives differing pixels in the ignored boxes another color, and counts them. */
function hideIgnored({ layout, ignored }: Scene, strip: Band, bytes: Uint8Array): number {
  let count = 0;
  for (const { left, top, right, bottom } of ignored) {
    for (let row = Math.max(top, strip.from); row < Math.min(bottom, strip.to); row += 1) {
      const start = (row - strip.from) * layout.width;
      for (let at = start + left; at < start + right; at += 1) {
        if (bytes[at] !== COLOR.different) continue;
        bytes[at] = COLOR.ignored;
        count += 1;
      }
    }
  }
  return count;
}

function countCells(width: number, height: number, bytes: Uint8Array): number {
  const rows = Math.ceil(width / CELL);
  const cells = new Set<number>();
  for (let y = 0; y < height; y += 1) {
    const row = bytes.subarray(y * width, (y + 1) * width);
    let x = row.indexOf(COLOR.different);
    while (x !== -1) {
      const cell = Math.floor(x / CELL);
      cells.add(Math.floor(y / CELL) * rows + cell);
      x = row.indexOf(COLOR.different, (cell + 1) * CELL);
    }
  }
  return cells.size;
}

/**
 * Draws some rows of the canvas: differing pixels in red, those that differ only by anti-aliasing in yellow, the rest of
 * the baseline faded.
 * @param threshold 0: every pixel whose bytes differ counts. Above 0: as pixelmatch judges.
 * @param bytes one for each pixel of the rows, each a color of the palette.
 */
export function drawStrip(scene: Scene, strip: Band, threshold: number, bytes: Uint8Array): Tally {
  const { width, pieces } = scene.layout;
  let count = 0;
  bytes.fill(COLOR.white);
  for (const piece of pieces) {
    const rows = { from: Math.max(0, strip.from - piece.y), to: Math.min(piece.height, strip.to - piece.y) };
    if (rows.from >= rows.to) continue;
    const start = (piece.y + rows.from - strip.from) * width + piece.x;
    count += drawPiece(scene, piece, rows, threshold, { bytes, start, stride: width });
  }
  const ignored = hideIgnored(scene, strip, bytes);
  return { different: count - ignored, ignored, cells: countCells(width, strip.to - strip.from, bytes) };
}
