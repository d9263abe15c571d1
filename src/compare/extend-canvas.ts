import type { Image, Size } from './image.ts';
import { sliceRows } from './image.ts';
import type { Box } from './region.ts';

const RED = Buffer.from([255, 0, 0, 255]);
const WHITE = Buffer.from([255, 255, 255, 255]);

/** The smallest canvas that contains both. */
export function uniteSizes(one: Size, other: Size): Size {
  return { width: Math.max(one.width, other.width), height: Math.max(one.height, other.height) };
}

/** The upper left corner that both have in common. */
export function intersectSizes(one: Size, other: Size): Size {
  return { width: Math.min(one.width, other.width), height: Math.min(one.height, other.height) };
}

const area = ({ width, height }: Size) => width * height;

/** How many pixels of the larger canvas belong to only one of the two. */
export function lonePixels(one: Size, other: Size): number {
  return area(one) + area(other) - 2 * area(intersectSizes(one, other));
}

/** The same pixels as boxes: beside the overlap, and below it. */
export function loneBoxes(one: Size, other: Size): Box[] {
  const overlap = intersectSizes(one, other);
  const wider = Math.max(one.width, other.width);
  const taller = one.height > other.height ? one : other;
  const beside = { left: overlap.width, top: 0, right: wider, bottom: overlap.height };
  const below = { left: 0, top: overlap.height, right: taller.width, bottom: taller.height };
  return [beside, below].filter((box) => box.right > box.left && box.bottom > box.top);
}

function widen(canvas: Image, overlap: Size): void {
  if (canvas.width === overlap.width) return;
  // Starts at the last row, because each row moves to where a later one was.
  for (let row = overlap.height - 1; row >= 0; row -= 1) {
    const start = row * canvas.width * 4;
    const from = row * overlap.width * 4;
    canvas.pixels.copyWithin(start, from, from + overlap.width * 4);
    canvas.pixels.fill(RED, start + overlap.width * 4, start + canvas.width * 4);
  }
}

/**
 * Spreads a drawing of the overlap, which fills the first bytes of the canvas, over the larger canvas of two images.
 * Pixels that only one of them has become red. The corner that neither has becomes white.
 */
export function extendCanvas(canvas: Image, one: Size, other: Size): void {
  const overlap = intersectSizes(one, other);
  widen(canvas, overlap);
  const taller = one.height > other.height ? one : other;
  for (let row = overlap.height; row < canvas.height; row += 1) {
    const bytes = sliceRows(canvas, { from: row, to: row + 1 });
    bytes.fill(RED, 0, taller.width * 4);
    bytes.fill(WHITE, taller.width * 4);
  }
}
