import pixelmatch from 'pixelmatch';
import type { Band, Image } from './image.ts';
import { sliceRows, viewAsWords } from './image.ts';

/** pixelmatch's opacity for unchanged pixels. */
const FADE = 0.1;

/** pixelmatch's color for differing pixels, as one word. It draws nothing else in this color. */
export const DIFFERENT = new Uint32Array(Uint8Array.of(255, 0, 0, 255).buffer)[0] ?? 0;

/** Each brightness as one opaque pixel, for either byte order of the machine. */
const GRAYS = new Uint32Array(Uint8Array.from({ length: 1024 }, (_, at) => (at % 4 === 3 ? 255 : at >> 2)).buffer);

/** Uses pixelmatch's formula, so that the rows it never saw look like those it drew. */
function fadedGray(pixels: Buffer, at: number): number {
  const color =
    (pixels[at] ?? 0) * 0.29889531 + (pixels[at + 1] ?? 0) * 0.58662247 + (pixels[at + 2] ?? 0) * 0.11448223;
  return GRAYS[Math.trunc(255 + ((color - 255) * FADE * (pixels[at + 3] ?? 0)) / 255)] ?? 0;
}

/** Most pixels of a page are equal to the one on their left, so the formula is computed once for each run of them. */
function fade(source: Buffer, target: Buffer): void {
  const from = viewAsWords(source);
  const to = viewAsWords(target);
  let color = -1;
  let gray = 0;
  for (let at = 0; at < from.length; at += 1) {
    const next = from[at] ?? 0;
    if (next !== color) {
      color = next;
      gray = fadedGray(source, at * 4);
    }
    to[at] = gray;
  }
}

/**
 * Counts the pixels in which two images of the same size differ, and draws the bands as pixelmatch does: differing
 * pixels in red, those that differ only by anti-aliasing in yellow, the rest of the first image faded.
 * @param target an image of the same size, in which the bands are drawn.
 */
export function drawBands(bands: Band[], one: Image, other: Image, target: Image, threshold: number): number {
  let count = 0;
  for (const band of bands) {
    const [first, second, drawn] = [sliceRows(one, band), sliceRows(other, band), sliceRows(target, band)];
    count += pixelmatch(first, second, drawn, one.width, band.to - band.from, { threshold, alpha: FADE });
  }
  return count;
}

/** Draws the rows outside the bands, where nothing has changed. */
export function fadeAround(bands: Band[], source: Image, target: Image): void {
  let from = 0;
  for (const band of [...bands, { from: source.height, to: source.height }]) {
    const gap = { from, to: band.from };
    fade(sliceRows(source, gap), sliceRows(target, gap));
    from = band.to;
  }
}
