import type { Band } from '../../png/image.ts';
import { hashWords } from '../hash-words.ts';
import { startInWindow, type Window } from '../window.ts';

/** A hash for each row, and the hashes of blank rows, which have one color. Rows count from `from`. */
export type RowKeys = { from: number; keys: Int32Array; blank: Set<number> };

/** Compares the row with itself, shifted by a pixel. */
function isBlank({ image, width }: Window, start: number): boolean {
  const [from, to] = [start * 4, (start + width) * 4];
  return image.pixels.compare(image.pixels, from, to - 4, from + 4, to) === 0;
}

export function keysOfRows(window: Window, { from, to }: Band): RowKeys {
  const keys = new Int32Array(to - from);
  const blank = new Set<number>();
  for (let row = from; row < to; row += 1) {
    const start = startInWindow(window, row);
    const key = hashWords(window.words, start, start + window.width).low;
    keys[row - from] = key;
    if (!blank.has(key) && isBlank(window, start)) blank.add(key);
  }
  return { from, keys, blank };
}
