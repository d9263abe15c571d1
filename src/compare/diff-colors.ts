/** Unchanged pixels are drawn with this opacity on white, as pixelmatch draws them. */
export const FADE = 0.1;

/** The darkest gray of a faded pixel. */
const DARKEST = 229;
const GRAYS = 256 - DARKEST;

/** A diff image has so few colors that a pixel of it is one byte: a gray, from 0 for the darkest, or one of these. */
export const COLOR = {
  white: GRAYS - 1,
  different: GRAYS,
  antialiased: GRAYS + 1,
  ignored: GRAYS + 2,
  moved: GRAYS + 3,
} as const;

/** Red, green and blue of each of the bytes. Red and yellow are pixelmatch's. */
export const PALETTE = Buffer.from(
  [
    ...Array.from({ length: GRAYS }, (_, at) => [DARKEST + at, DARKEST + at, DARKEST + at]),
    [255, 0, 0],
    [255, 255, 0],
    [182, 194, 207],
    [9, 105, 218],
  ].flat(),
);

/** pixelmatch's formula. Each brightness of the drawing is one byte of the palette. */
export function fadedGray(pixels: Buffer, at: number): number {
  const color =
    (pixels[at] ?? 0) * 0.29889531 + (pixels[at + 1] ?? 0) * 0.58662247 + (pixels[at + 2] ?? 0) * 0.11448223;
  return Math.trunc(255 + ((color - 255) * FADE * (pixels[at + 3] ?? 0)) / 255) - DARKEST;
}

/** A pixel, given by its four bytes, as one number. */
export const asWord = (bytes: number[]): number => new Uint32Array(Uint8Array.from(bytes).buffer)[0] ?? 0;
const RED = asWord([255, 0, 0, 255]);
const YELLOW = asWord([255, 255, 0, 255]);

/** The byte for a pixel of pixelmatch's drawing, which is given as a word. Its grays have three equal channels. */
export function translateDrawn(word: number): number {
  if (word === RED) return COLOR.different;
  if (word === YELLOW) return COLOR.antialiased;
  return ((word >>> 8) & 0xff) - DARKEST;
}
