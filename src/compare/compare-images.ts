import { createRequire } from 'node:module';
import { z } from 'zod';
import type { ChangedRegion } from './describe-regions.ts';
import { describeRegions } from './describe-regions.ts';
import { PALETTE } from './diff-colors.ts';
import { drawCanvas } from './draw-canvas.ts';
import type { Scene } from './draw-strip.ts';
import type { Image } from './image.ts';
import type { Layout } from './layout.ts';
import { assertDrawable, plainLayout, placeBox } from './layout.ts';
import { CODEC, decodePng, encodePalette, readPngSize } from './png-codec.ts';
import type { Region } from './region.ts';

export type Comparison = {
  /** Percentage of differing pixels of the canvas, 0 to 100, rounded to 4 decimals; 0 only when none differs. */
  diffPercentage: number;
  differentPixels: number;
  /** Size of the canvas, px. */
  width: number;
  height: number;
  /** A PNG of the canvas; null when no pixel differs. */
  diffImage: Buffer | null;
  /** Where they differ, on the canvas: see `changedRegions`. */
  regions: ChangedRegion[];
  /** Every difference is one that a person would hardly see. False when nothing differs. */
  faint: boolean;
  /** Differing pixels in ignored areas, which count nowhere else. */
  ignoredPixels: number;
};

export type CompareOptions = {
  /** 0: every pixel whose bytes differ counts. Up to 1: pixelmatch's color threshold, without anti-aliasing. */
  threshold: number;
  /** Line up rows that moved. Default true. */
  alignment?: boolean;
  /** Areas that are drawn, but not judged, in px of each image. */
  ignore?: Ignored;
};

type Ignored = { baseline: Region[]; current: Region[] };

const judge = z.object({ version: z.string() }).parse(createRequire(import.meta.url)('pixelmatch/package.json'));

/** The libraries that compare and draw. Results store their versions, because another one may count differently. */
export const COMPARE_ENGINE = `pixelmatch ${judge.version}; ${CODEC}`;

/** One differing pixel in millions is still a difference, so it is never rounded to zero. */
function percentage(count: number, pixels: number): number {
  return count === 0 ? 0 : Math.max(0.0001, Math.round((count / pixels) * 1_000_000) / 10_000);
}

function placeIgnored(layout: Layout, ignore: Ignored) {
  return [
    ...ignore.baseline.flatMap((box) => placeBox(layout, 'baseline', box)),
    ...ignore.current.flatMap((box) => placeBox(layout, 'current', box)),
  ];
}

async function compareDecoded(baseline: Image, current: Image, options: Required<CompareOptions>): Promise<Comparison> {
  const layout = plainLayout(baseline, current);
  assertDrawable(layout);
  const scene: Scene = { baseline, current, layout, ignored: placeIgnored(layout, options.ignore) };
  const drawing = drawCanvas(scene, options.threshold);
  const { width, height, tally, bytes } = drawing;
  const verdict = {
    diffPercentage: percentage(tally.different, width * height),
    differentPixels: tally.different,
    width,
    height,
    ignoredPixels: tally.ignored,
  };
  if (tally.different === 0) return { ...verdict, diffImage: null, regions: [], faint: false };
  const regions = describeRegions(scene, drawing);
  const diffImage = await encodePalette({ width, height }, bytes, PALETTE);
  return { ...verdict, diffImage, regions, faint: regions.every((region) => region.faint) };
}

/**
 * Compares two PNG files. If their sizes differ, they are compared on the larger canvas, and pixels
 * that only one of them has count as different (issue "Compare").
 * @throws Error that says which screenshot can't be read.
 */
export async function compareImages(baseline: Buffer, current: Buffer, options: CompareOptions): Promise<Comparison> {
  if (baseline.equals(current)) {
    const size = await readPngSize(baseline, 'baseline');
    return {
      ...size,
      diffPercentage: 0,
      differentPixels: 0,
      diffImage: null,
      regions: [],
      faint: false,
      ignoredPixels: 0,
    };
  }
  const images = await Promise.all([decodePng(baseline, 'baseline'), decodePng(current, 'current')]);
  return compareDecoded(...images, { alignment: true, ignore: { baseline: [], current: [] }, ...options });
}
