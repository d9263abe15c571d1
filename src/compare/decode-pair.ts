import type { Region } from '../elements/region.ts';
import { decodePng, decodeRows, readPngSize } from '../png/codec.ts';
import { viewAsWords, type Image, type SharedRows, type Size } from '../png/image.ts';
import { hashWords } from './hash-words.ts';

/** How much of an image is decoded at once. The decoder starts at the top each time, so there must be few parts. */
const STRIP = 16_384;

/** The area up to which both images are decoded as a whole, px: 256 MiB each. */
export const LARGEST_WHOLE = 4096 * 16_384;

/** Distinct rows of one width, and the position of the first one with each hash. */
type Pool = { width: number; pixels: Buffer; words: Uint32Array; used: number; places: Map<number, number> };

/** Memory that is never written is never allocated, so the pool may be as large as both images. */
function newPool(width: number, rows: number): Pool {
  const pixels = Buffer.allocUnsafeSlow(width * rows * 4);
  return { width, pixels, words: viewAsWords(pixels), used: 0, places: new Map() };
}

/** The position of the row in the pool: that of an equal row, or a new one. */
function placeRow(pool: Pool, strip: Buffer, words: Uint32Array, row: number): number {
  const { width, pixels, places } = pool;
  const length = width * 4;
  const [start, end] = [row * length, (row + 1) * length];
  const key = hashWords(words, row * width, (row + 1) * width).low;
  const known = places.get(key);
  if (known !== undefined && pixels.compare(strip, start, end, known * length, (known + 1) * length) === 0)
    return known;
  const place = pool.used;
  strip.copy(pixels, place * length, start, end);
  if (known === undefined) places.set(key, place);
  pool.used += 1;
  return place;
}

async function decodeInto(pool: Pool, png: Buffer, { width, height }: Size, name: string): Promise<Image> {
  const places = new Uint32Array(height);
  for (let top = 0; top < height; top += STRIP) {
    const strip = await decodeRows(png, { width, height }, { from: top, to: Math.min(height, top + STRIP) }, name);
    const words = viewAsWords(strip);
    for (let row = 0; row < words.length / width; row += 1) places[top + row] = placeRow(pool, strip, words, row);
  }
  const shared: SharedRows = { places, pool };
  return { width, height, pixels: pool.pixels, shared };
}

const area = ({ width, height }: Size) => width * height;

/**
 * Decodes both images. Where one is so large that it may be a tall page, they share their equal rows: nearly all of
 * them, blank ones and those that only moved, so that two images of 512 MiB take little more than one.
 * @param masked boxes that will be painted over. Rows that are shared need a place of their own for that.
 * @throws Error that says which screenshot can't be read.
 */
export async function decodePair(
  baseline: Buffer,
  current: Buffer,
  masked: Region[],
  whole = LARGEST_WHOLE,
): Promise<[Image, Image]> {
  const [before, after] = [await readPngSize(baseline, 'baseline'), await readPngSize(current, 'current')];
  if (Math.max(area(before), area(after)) <= whole) {
    return Promise.all([decodePng(baseline, 'baseline'), decodePng(current, 'current')]);
  }
  const tallest = Math.max(before.height, after.height);
  const spare = masked.reduce((sum, { height }) => sum + Math.min(Math.max(0, height), tallest), 0);
  const isOneWidth = before.width === after.width;
  const pool = newPool(before.width, before.height + spare + (isOneWidth ? after.height : 0));
  const other = isOneWidth ? pool : newPool(after.width, after.height + spare);
  return [await decodeInto(pool, baseline, before, 'baseline'), await decodeInto(other, current, after, 'current')];
}
