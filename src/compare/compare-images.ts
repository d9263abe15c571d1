import { toWholePixels, type ChangedRegion, type Region } from '../elements/region.ts';
import { encodePalette, readPngSize } from '../png/codec.ts';
import type { Image } from '../png/image.ts';
import { alignImages } from './align/align-images.ts';
import type { Masked } from './align/columns.ts';
import { endsWithinPixel, intersectAll, toRegion, type Box } from './box.ts';
import { clearSpecks } from './clear-specks.ts';
import { decodePair } from './decode-pair.ts';
import { describeFiller, describeRegions } from './describe-regions.ts';
import { PALETTE } from './diff-colors.ts';
import { encodeAligned } from './draw-aligned.ts';
import { differsMore, drawCanvas, type Drawing } from './draw-canvas.ts';
import { drawMoves, findMoves, type Move } from './draw-moves.ts';
import type { Scene, Tally } from './draw-strip.ts';
import { assertDrawable, countGaps, isDrawable, placeBox, plainLayout, type Layout } from './layout.ts';
import { maskBoxes } from './mask-boxes.ts';

export type Comparison = {
  /** Percentage of differing pixels of the canvas, 0 to 100, rounded to 4 decimals; 0 only when none differs. */
  diffPercentage: number;
  differentPixels: number;
  /** Size of the canvas, px. */
  width: number;
  height: number;
  /** A PNG of the canvas; null when no pixel differs, or no images are wanted. */
  diffImage: Buffer | null;
  /** Where they differ, on the canvas: see `changedRegions`. */
  regions: ChangedRegion[];
  /** Blank rows of one image alone that do not count, because of what was inserted or removed beside or above them. */
  filler: ChangedRegion[];
  /** What only moved. Empty when no pixel differs. */
  moves: Move[];
  /** Every difference is one that a person would hardly see. False when nothing differs. */
  faint: boolean;
  /** Differing pixels in ignored areas. They are not counted anywhere else. */
  ignoredPixels: number;
  /** The ignored areas on the canvas. */
  ignored: Region[];
  /**
   * PNGs of both images on the canvas, with hatched gaps. Null when nothing moved and the sizes are equal, when no
   * pixel differs, and when no images are wanted.
   */
  aligned: { baseline: Buffer; current: Buffer } | null;
};

export type CompareOptions = {
  /** 0: every pixel whose bytes differ counts. Up to 1: pixelmatch's color threshold, without anti-aliasing. */
  threshold: number;
  /** Line up rows that moved. Default true. */
  alignment?: boolean;
  /** Areas that are drawn but not judged, in px of each image. They include pixels that they only partly cover. */
  ignore?: Ignored;
  /** Both screenshots show only the window, and the page may continue below. Default false. */
  cut?: boolean;
  /** Make the images that show the difference. Default true. */
  images?: boolean;
};

type Ignored = { baseline: Region[]; current: Region[] };

const NOTHING: Ignored = { baseline: [], current: [] };

const UNCHANGED = { diffImage: null, regions: [], filler: [], moves: [], faint: false, aligned: null };

/** One differing pixel in millions is still a difference, so it is never rounded to zero. */
function percentage(count: number, pixels: number): number {
  return count === 0 ? 0 : Math.max(0.0001, Math.round((count / pixels) * 1_000_000) / 10_000);
}

type Ready = Required<CompareOptions> & { masked: Masked | null };
type Judged = { scene: Scene; drawing: Drawing & { tally: Tally } };

function placeIgnored(layout: Layout, ignore: Ignored): { baseline: Box[]; current: Box[] } {
  return {
    baseline: ignore.baseline.flatMap((box) => placeBox(layout, 'baseline', box)),
    current: ignore.current.flatMap((box) => placeBox(layout, 'current', box)),
  };
}

function sceneOf(baseline: Image, current: Image, layout: Layout, ignore: Ignored): Scene {
  const placed = placeIgnored(layout, ignore);
  return { baseline, current, layout, ignored: [...placed.baseline, ...placed.current] };
}

/**
 * Pixels that an ignored element covers in only one image don't count against lining up, because lining up may show
 * that something else changed there.
 */
function withoutCovered(scene: Scene, ignore: Ignored): Scene {
  const { baseline, current } = placeIgnored(scene.layout, ignore);
  return { ...scene, ignored: intersectAll(baseline, current) };
}

/** While the images are lined up, ignored areas look alike. */
function alignMasked(baseline: Image, current: Image, { ignore, masked, cut }: Ready): Layout | null {
  const unmask = [maskBoxes(baseline, ignore.baseline), maskBoxes(current, ignore.current)];
  try {
    return alignImages(baseline, current, { masked, cut });
  } finally {
    for (const restore of unmask) restore();
  }
}

/**
 * Lining up must save at least this share of differing cells. Otherwise pages with little in common would be lined up
 * for nothing.
 */
const WORTH = 1.1;

/** An image with more gaps than this is hard to read, so they must spare most of what differs: three of four cells. */
const SCATTERED = 8;
const SCATTERED_WORTH = 4;

/** Lined up if that leaves less to look at, otherwise corner on corner. */
function judgeImages(baseline: Image, current: Image, options: Ready): Judged {
  const { threshold, alignment, ignore } = options;
  const plain = sceneOf(baseline, current, plainLayout(baseline, current), ignore);
  assertDrawable(plain.layout);
  const layout = alignment ? alignMasked(baseline, current, options) : null;
  if (layout !== null && isDrawable(layout)) {
    const scene = sceneOf(baseline, current, layout, ignore);
    const drawing = drawCanvas(scene, threshold);
    const worth = countGaps(layout) > SCATTERED ? SCATTERED_WORTH : WORTH;
    if (differsMore(withoutCovered(plain, ignore), threshold, drawing.tally.cells * worth)) return { scene, drawing };
  }
  return { scene: plain, drawing: drawCanvas(plain, threshold) };
}

const isOfOneSize = ({ baseline, current }: Scene) =>
  baseline.width === current.width && baseline.height === current.height;

/** One canvas after the other, because each is as large as an image. */
async function alignedImages(scene: Scene, moves: Move[]): Promise<Comparison['aligned']> {
  if (moves.length === 0 && isOfOneSize(scene)) return null;
  const baseline = await encodeAligned(scene, 'baseline');
  return { baseline, current: await encodeAligned(scene, 'current') };
}

async function compareDecoded(baseline: Image, current: Image, options: Ready): Promise<Comparison> {
  const { scene, drawing } = judgeImages(baseline, current, options);
  clearSpecks(scene, drawing);
  const { width, height, tally, bytes } = drawing;
  const verdict = {
    diffPercentage: percentage(tally.different, width * height),
    differentPixels: tally.different,
    width,
    height,
    ignoredPixels: tally.ignored,
    ignored: scene.ignored.map(toRegion),
  };
  if (tally.different === 0) return { ...verdict, ...UNCHANGED };
  const filler = describeFiller(scene);
  const regions = describeRegions(scene, drawing, filler);
  const moves = findMoves(scene.layout);
  const found = { ...verdict, regions, filler, moves, faint: regions.every((region) => region.faint) };
  if (!options.images) return { ...found, diffImage: null, aligned: null };
  drawMoves(drawing, moves);
  return {
    ...found,
    diffImage: await encodePalette({ width, height }, bytes, PALETTE),
    aligned: await alignedImages(scene, moves),
  };
}

/**
 * Compares two PNG files. If their sizes differ, they are compared on the larger canvas, and pixels
 * that only one of them has count as different.
 * @throws Error that says which screenshot can't be read.
 */
export async function compareImages(baseline: Buffer, current: Buffer, options: CompareOptions): Promise<Comparison> {
  if (baseline.equals(current)) {
    const size = await readPngSize(baseline, 'baseline');
    return { ...size, ...UNCHANGED, diffPercentage: 0, differentPixels: 0, ignoredPixels: 0, ignored: [] };
  }
  const { baseline: before, current: after } = options.ignore ?? NOTHING;
  const ignore = { baseline: before.map(toWholePixels), current: after.map(toWholePixels) };
  const boxes = [...ignore.baseline, ...ignore.current];
  const masked = boxes.length > 0 ? { fractions: [...before, ...after].some(endsWithinPixel) } : null;
  const ready = { alignment: true, cut: false, images: true, ...options, ignore, masked };
  return compareDecoded(...(await decodePair(baseline, current, boxes)), ready);
}
