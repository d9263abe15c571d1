import type { Image } from './image.ts';
import { viewAsWords } from './image.ts';
import type { Region } from './region.ts';

/** The same in every ignored pixel, so that two ignored areas are alike. */
const MASK = 0;

/** Paints over the boxes, and returns what paints back what was there. */
export function maskBoxes(image: Image, boxes: Region[]): () => void {
  const words = viewAsWords(image.pixels);
  const saved: { at: number; row: Uint32Array }[] = [];
  for (const { x, y, width, height } of boxes) {
    const left = Math.max(0, Math.min(image.width, x));
    const right = Math.max(left, Math.min(image.width, x + width));
    for (let row = Math.max(0, y); row < Math.min(image.height, y + height); row += 1) {
      const at = row * image.width + left;
      saved.push({ at, row: words.slice(at, at + right - left) });
      words.fill(MASK, at, at + right - left);
    }
  }
  return () => {
    // Backwards, as boxes may overlap.
    for (const { at, row } of saved.toReversed()) words.set(row, at);
  };
}
