import type { Region } from '../elements/region.ts';
import { MAX_PIXELS, type Size } from '../png/image.ts';
import { intersect, toBox, toRegion, union, type Box } from './box.ts';

/**
 * A rectangle of the canvas, and where it is in each image. `x` is the same in both images and on the canvas.
 * `baselineY` or `currentY` is null where that image has a gap.
 */
export type Piece = {
  x: number;
  y: number;
  width: number;
  height: number;
  baselineY: number | null;
  currentY: number | null;
  /** Blank rows that only one image has, because a column beside them grew. They don't count as different. */
  filler: boolean;
};

/** How two images are lined up on a canvas. Pieces are disjoint. Areas that none covers belong to neither image. */
export type Layout = Size & { pieces: Piece[] };

export type Side = 'baseline' | 'current';

/** True for what only one image has. */
export const isLone = ({ baselineY, currentY }: Pick<Piece, 'baselineY' | 'currentY'>): boolean =>
  baselineY === null || currentY === null;

/** True for what only one image has and that counts as different. */
export const isCounted = (piece: Piece): boolean => isLone(piece) && !piece.filler;

export const countGaps = ({ pieces }: Layout): number => pieces.filter(isCounted).length;

/** The piece's first row in that image. */
export function topIn(piece: Piece, side: Side): number | null {
  return side === 'baseline' ? piece.baselineY : piece.currentY;
}

/** The maximum size of a canvas: two images of the largest size, one below the other. */
const MAX_CANVAS = 2 * MAX_PIXELS;

export const isDrawable = ({ width, height }: Size) => width * height <= MAX_CANVAS;

/** @throws Error when two images are so wide and so tall that no canvas can hold them. */
export function assertDrawable(size: Size): void {
  if (!isDrawable(size)) throw new Error(`The screenshots are too large to compare: ${size.width} × ${size.height} px`);
}

const piece = (part: Omit<Piece, 'filler'>): Piece => ({ ...part, filler: false });

/** Both images with their upper left corners in one place. */
export function plainLayout(baseline: Size, current: Size): Layout {
  const [width, height] = [Math.min(baseline.width, current.width), Math.min(baseline.height, current.height)];
  const [wider, taller] = [Math.max(baseline.width, current.width), Math.max(baseline.height, current.height)];
  const wide = baseline.width > current.width;
  const tall = baseline.height > current.height;
  const below = tall ? baseline.width : current.width;
  const pieces = [
    piece({ x: 0, y: 0, width, height, baselineY: 0, currentY: 0 }),
    piece({ x: width, y: 0, width: wider - width, height, baselineY: wide ? 0 : null, currentY: wide ? null : 0 }),
    piece({
      x: 0,
      y: height,
      width: below,
      height: taller - height,
      baselineY: tall ? height : null,
      currentY: tall ? null : height,
    }),
  ];
  return { width: wider, height: taller, pieces: pieces.filter((one) => one.width > 0 && one.height > 0) };
}

const movedDown = (boxes: Box[], by: number): Box[] =>
  boxes.map(({ left, top, right, bottom }) => ({ left, top: top + by, right, bottom: bottom + by }));

/** The parts of a box of an image, as boxes of the canvas. */
export function placeBox({ pieces }: Layout, side: Side, box: Region): Box[] {
  return pieces.flatMap((one) => {
    const top = topIn(one, side);
    return top === null ? [] : movedDown(intersect(toBox({ ...one, y: top }), toBox(box)), one.y - top);
  });
}

/** The smallest box of an image that has all of the box of the canvas. Null if that image has only a gap there. */
export function findInImage({ pieces }: Layout, side: Side, box: Region): Region | null {
  const found = pieces.flatMap((one) => {
    const top = topIn(one, side);
    return top === null ? [] : movedDown(intersect(toBox(one), toBox(box)), top - one.y);
  });
  return found.length === 0 ? null : toRegion(found.reduce(union));
}

/** The row of an image at which something is inserted that only the other one has, in a box of the canvas. */
export function placeOfGap({ pieces }: Layout, side: Side, { x, y, width }: Region): number {
  const above = pieces.filter((one) => one.y < y && one.x < x + width && one.x + one.width > x);
  return Math.max(0, ...above.map((one) => (topIn(one, side) ?? -one.height) + one.height));
}
