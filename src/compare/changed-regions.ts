import type { Band, Picture } from './picture.ts';
import { sliceRows, viewAsWords } from './picture.ts';
import type { Box, Region } from './region.ts';
import { isNear, mergeNear } from './region.ts';

/** Pixels that read as one change when no more lie between them: more than between lines, less than between paragraphs. */
const GAP = 16;

/** What a person steps through, and what a page can outline, without losing sight. */
const MAX_REGIONS = 100;

/** The last pixel of the colour that is near the one at `first`, or near one that is. */
function endOfRun(row: Uint32Array, colour: number, first: number): number {
  let last = first;
  // Backwards from the farthest that is near: most of what lies between is never looked at.
  for (let x = last + GAP + 1; x > last; x -= 1) {
    if (row[x] === colour) {
      last = x;
      x += GAP + 2;
    }
  }
  return last;
}

/** The row's pixels of the colour as boxes one pixel high; those near each other are in one. */
function runsIn(row: Uint32Array, colour: number, top: number): Box[] {
  const runs: Box[] = [];
  let left = row.indexOf(colour);
  while (left !== -1) {
    const right = endOfRun(row, colour, left) + 1;
    runs.push({ left, top, right, bottom: top + 1 });
    left = row.indexOf(colour, right);
  }
  return runs;
}

function widen(box: Box, run: Box): void {
  box.left = Math.min(box.left, run.left);
  box.right = Math.max(box.right, run.right);
  box.bottom = run.bottom;
}

/** Boxes that hold every pixel of the colour, top first; some of them may still lie near each other. */
function boxesIn(band: Band, drawing: Picture, colour: number): Box[] {
  const boxes: Box[] = [];
  let open: Box[] = [];
  for (let top = band.from; top < band.to; top += 1) {
    if (open.some((box) => top - box.bottom > GAP)) open = open.filter((box) => top - box.bottom <= GAP);
    for (const run of runsIn(viewAsWords(sliceRows(drawing, { from: top, to: top + 1 })), colour, top)) {
      const near = open.find((box) => isNear(box, run, GAP));
      if (near !== undefined) {
        widen(near, run);
      } else {
        boxes.push(run);
        open.push(run);
      }
    }
  }
  return boxes;
}

/** As few as a person can step through: what is farther apart is merged too, and nothing is left out. */
function mergeAll(boxes: Box[]): Box[] {
  let merged = mergeNear(boxes, GAP);
  for (let gap = 2 * GAP; merged.length > MAX_REGIONS; gap *= 2) merged = mergeNear(merged, gap);
  return merged;
}

/**
 * The boxes around what differs, for a reviewer to step through: changes that are near each other are one. In reading
 * order, disjoint, 100 at most.
 * @param bands rows of the drawing outside of which nothing is drawn in that colour.
 * @param colour of differing pixels, as a word of the drawing.
 * @param lone boxes that differ as a whole, beside the drawing.
 */
export function changedRegions(bands: Band[], drawing: Picture, colour: number, lone: Box[]): Region[] {
  const boxes = bands.flatMap((band) => boxesIn(band, drawing, colour));
  return mergeAll([...boxes, ...lone]).map(({ left, top, right, bottom }) => ({
    x: left,
    y: top,
    width: right - left,
    height: bottom - top,
  }));
}
