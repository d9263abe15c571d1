import { createRequire } from 'node:module';
import { z } from 'zod';
import { changedBands } from './changed-bands.ts';
import { changedRegions } from './changed-regions.ts';
import { DIFFERENT, drawBands, fadeAround } from './draw-diff.ts';
import { extendCanvas, loneBoxes, lonePixels, intersectSizes, uniteSizes } from './extend-canvas.ts';
import type { Image } from './image.ts';
import { MAX_PIXELS, cropInPlace, sliceRows } from './image.ts';
import { CODEC, decodePng, encodePng, readPngSize } from './png-codec.ts';
import type { Region } from './region.ts';

export type Comparison = {
  /** Percentage of differing pixels of the larger canvas, 0 to 100, rounded to 4 decimals; 0 only when none differs. */
  diffPercentage: number;
  differentPixels: number;
  /** Size of the larger canvas, px. */
  width: number;
  height: number;
  /** A PNG of the larger canvas; null when no pixel differs. */
  diffImage: Buffer | null;
  /** Where they differ: see `changedRegions`. */
  regions: Region[];
};

const judge = z.object({ version: z.string() }).parse(createRequire(import.meta.url)('pixelmatch/package.json'));

/** The libraries that compare and draw. Results store their versions, because another one may count differently. */
export const COMPARE_ENGINE = `pixelmatch ${judge.version}; ${CODEC}`;

/** One differing pixel in millions is still a difference, so it is never rounded to zero. */
function percentage(count: number, pixels: number): number {
  return count === 0 ? 0 : Math.max(0.0001, Math.round((count / pixels) * 1_000_000) / 10_000);
}

function blankCanvas(one: Image, other: Image): Image {
  const { width, height } = uniteSizes(one, other);
  if (width * height > MAX_PIXELS) throw new Error(`The screenshots are too large to compare: ${width} × ${height} px`);
  return { width, height, pixels: Buffer.allocUnsafe(width * height * 4) };
}

/** Overwrites the pixels of both screenshots. */
async function compareDecoded(baseline: Image, current: Image, threshold: number): Promise<Comparison> {
  const canvas = blankCanvas(baseline, current);
  const overlap = intersectSizes(baseline, current);
  const [before, after] = [cropInPlace(baseline, overlap), cropInPlace(current, overlap)];
  const drawing = {
    ...overlap,
    pixels: sliceRows({ ...overlap, pixels: canvas.pixels }, { from: 0, to: overlap.height }),
  };

  const bands = changedBands(before, after);
  const changed = drawBands(bands, before, after, drawing, threshold);
  const differentPixels = changed + lonePixels(baseline, current);
  const { width, height } = canvas;
  const verdict = { diffPercentage: percentage(differentPixels, width * height), differentPixels, width, height };
  if (differentPixels === 0) return { ...verdict, diffImage: null, regions: [] };

  const regions = changedRegions(changed === 0 ? [] : bands, drawing, DIFFERENT, loneBoxes(baseline, current));
  fadeAround(bands, before, drawing);
  extendCanvas(canvas, baseline, current);
  return { ...verdict, diffImage: await encodePng(canvas), regions };
}

/**
 * Compares two PNG files with pixelmatch. If their sizes differ, they are compared on the larger canvas, and pixels
 * that only one of them has count as different (issue "Compare").
 * @param options.threshold pixelmatch's color threshold, 0 to 1.
 * @throws Error that says which screenshot can't be read.
 */
export async function compareImages(
  baseline: Buffer,
  current: Buffer,
  options: { threshold: number },
): Promise<Comparison> {
  if (baseline.equals(current)) {
    const size = await readPngSize(baseline, 'baseline');
    return { ...size, diffPercentage: 0, differentPixels: 0, diffImage: null, regions: [] };
  }
  const images = await Promise.all([decodePng(baseline, 'baseline'), decodePng(current, 'current')]);
  return compareDecoded(...images, options.threshold);
}
