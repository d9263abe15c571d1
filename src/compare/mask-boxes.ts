import type { Region } from '../elements/region.ts';
import { startOfRow, viewAsWords, type Image } from '../png/image.ts';

/** The same in every ignored pixel, so that two ignored areas are alike. No pixel of a screenshot is transparent. */
export const MASK = 0;

/** Gives the row its own storage, because equal rows share theirs. Returns a function that undoes this. */
function ownRow({ width, pixels, shared }: Image, row: number): () => void {
  const place = shared?.places[row];
  if (shared === undefined || place === undefined) return () => {};
  const { places, pool } = shared;
  places[row] = pool.used;
  pixels.copyWithin(pool.used * width * 4, place * width * 4, (place + 1) * width * 4);
  pool.used += 1;
  return () => {
    places[row] = place;
  };
}

function maskRow(image: Image, row: number, left: number, right: number): () => void {
  const giveBack = ownRow(image, row);
  const words = viewAsWords(image.pixels);
  const from = startOfRow(image, row) + left;
  const saved = words.slice(from, from + right - left);
  words.fill(MASK, from, from + right - left);
  return () => {
    words.set(saved, from);
    giveBack();
  };
}

/** Paints over the boxes, and returns a function that restores them. */
export function maskBoxes(image: Image, boxes: Region[]): () => void {
  const undo: (() => void)[] = [];
  for (const { x, y, width, height } of boxes) {
    const left = Math.max(0, Math.min(image.width, x));
    const right = Math.max(left, Math.min(image.width, x + width));
    for (let row = Math.max(0, y); row < Math.min(image.height, y + height); row += 1) {
      undo.push(maskRow(image, row, left, right));
    }
  }
  return () => {
    // Backwards, as boxes may overlap.
    for (const restore of undo.toReversed()) restore();
  };
}
