import { startOfRow, viewAsWords, type Image } from '../png/image.ts';

/** Columns `x` to `x + width` of an image, from the row `top` on. Row 0 of the window is that row. */
export type Window = { image: Image; words: Uint32Array; x: number; width: number; top: number };

export function openWindow(image: Image, part: Pick<Window, 'x' | 'width' | 'top'>): Window {
  return { image, words: viewAsWords(image.pixels), ...part };
}

/** Where a row starts, in pixels from the image's first. */
export function startInWindow({ image, x, top }: Window, row: number): number {
  return startOfRow(image, top + row) + x;
}

/** True when a row of one window has the bytes of a row of another one of the same width. */
export function isSameRow(one: Window, row: number, other: Window, otherRow: number): boolean {
  const [start, otherStart] = [startInWindow(one, row) * 4, startInWindow(other, otherRow) * 4];
  const length = one.width * 4;
  return one.image.pixels.compare(other.image.pixels, otherStart, otherStart + length, start, start + length) === 0;
}

/** How many pixels of the two rows have other bytes. */
export function countDifferent(one: Window, row: number, other: Window, otherRow: number): number {
  if (isSameRow(one, row, other, otherRow)) return 0;
  const { words, width } = one;
  const others = other.words;
  const start = startInWindow(one, row);
  const shift = startInWindow(other, otherRow) - start;
  let count = 0;
  for (let at = start; at < start + width; at += 1) {
    if (words[at] !== others[at + shift]) count += 1;
  }
  return count;
}
