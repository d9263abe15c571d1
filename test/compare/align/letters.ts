import type { Columns } from '../../../src/compare/align/columns.ts';
import type { RowKeys } from '../../../src/compare/align/match-rows.ts';
import { openWindow } from '../../../src/compare/window.ts';
import { viewAsWords, type Image } from '../../../src/png/image.ts';

/** A picture in letters: a text for each row from the top, a letter for each pixel. */
export function picture(...rows: string[]): Image {
  const [width, height] = [rows[0]?.length ?? 0, rows.length];
  const pixels = Buffer.alloc(width * height * 4);
  viewAsWords(pixels).set(Buffer.from(rows.join(''), 'latin1'));
  return { width, height, pixels };
}

/** Both in full width. */
export function columnsOf(baseline: string[], current: string[]): Columns {
  const open = (image: Image) => openWindow(image, { x: 0, width: image.width, top: 0 });
  return { baseline: open(picture(...baseline)), current: open(picture(...current)), masked: null };
}

/** A letter for each row. `_` is a blank one. */
export const keysOf = (rows: string, from = 0): RowKeys => ({
  from,
  keys: Int32Array.from(rows, (letter) => letter.charCodeAt(0)),
  blank: new Set(rows.includes('_') ? ['_'.charCodeAt(0)] : []),
});
