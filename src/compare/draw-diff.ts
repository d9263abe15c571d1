import pixelmatch from 'pixelmatch';
import type { Band, Picture } from './picture.ts';
import { sliceRows, viewAsWords } from './picture.ts';

/** pixelmatch's opacity of what has not changed. */
const FADE = 0.1;

/** pixelmatch's colour of a differing pixel as one word, in which it draws nothing else. */
export const DIFFERENT = new Uint32Array(Uint8Array.of(255, 0, 0, 255).buffer)[0] ?? 0;

/** Each brightness as one opaque pixel, whichever way round this machine keeps a word. */
const GREYS = new Uint32Array(Uint8Array.from({ length: 1024 }, (_, at) => (at % 4 === 3 ? 255 : at >> 2)).buffer);

/** The formula is pixelmatch's, so that the rows it never saw look like those it drew. */
function fadedGrey(pixels: Buffer, at: number): number {
  const colour =
    (pixels[at] ?? 0) * 0.29889531 + (pixels[at + 1] ?? 0) * 0.58662247 + (pixels[at + 2] ?? 0) * 0.11448223;
  return GREYS[Math.trunc(255 + ((colour - 255) * FADE * (pixels[at + 3] ?? 0)) / 255)] ?? 0;
}

/** Most pixels of a page are like the one to their left, so the formula is worked out once for a run of them. */
function fade(source: Buffer, target: Buffer): void {
  const from = viewAsWords(source);
  const to = viewAsWords(target);
  let colour = -1;
  let grey = 0;
  for (let at = 0; at < from.length; at += 1) {
    const next = from[at] ?? 0;
    if (next !== colour) {
      colour = next;
      grey = fadedGrey(source, at * 4);
    }
    to[at] = grey;
  }
}

/**
 * Counts the pixels in which two pictures of one size differ, and draws the bands as pixelmatch does: differing pixels
 * red, those that only anti-aliasing moved yellow, the rest of the first picture faded.
 * @param target a picture of that size, which takes the drawing.
 */
export function drawBands(bands: Band[], one: Picture, other: Picture, target: Picture, threshold: number): number {
  let count = 0;
  for (const band of bands) {
    const [first, second, drawn] = [sliceRows(one, band), sliceRows(other, band), sliceRows(target, band)];
    count += pixelmatch(first, second, drawn, one.width, band.to - band.from, { threshold, alpha: FADE });
  }
  return count;
}

/** Draws what lies outside of the bands, where nothing has changed. */
export function fadeAround(bands: Band[], source: Picture, target: Picture): void {
  let from = 0;
  for (const band of [...bands, { from: source.height, to: source.height }]) {
    const gap = { from, to: band.from };
    fade(sliceRows(source, gap), sliceRows(target, gap));
    from = band.to;
  }
}
