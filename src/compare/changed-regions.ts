import type { Band, Image } from './image.ts';
import { sliceRows, viewAsWords } from './image.ts';
import type { Box, Region } from './region.ts';
import { isNear, mergeNear } from './region.ts';

/** Changes at most this many px apart look like one. More than between lines, less than between paragraphs. */
const GAP = 16;

/** As many as a person can step through, and a page can outline, before it gets confusing. */
const MAX_REGIONS = 100;

/** The last pixel of the run of this color that starts at `first`. Each pixel of a run is near the one before. */
function endOfRun(row: Uint32Array, color: number, first: number): number {
  let last = first;
  // Backwards from the farthest near pixel, so most pixels in between are never looked at.
  for (let x = last + GAP + 1; x > last; x -= 1) {
    if (row[x] === color) {
      last = x;
      x += GAP + 2;
    }
  }
  return last;
}

/** The row's pixels of this color as boxes one pixel high. Pixels near each other share a box. */
function runsIn(row: Uint32Array, color: number, top: number): Box[] {
  const runs: Box[] = [];
  let left = row.indexOf(color);
  while (left !== -1) {
    const right = endOfRun(row, color, left) + 1;
    runs.push({ left, top, right, bottom: top + 1 });
    left = row.indexOf(color, right);
  }
  return runs;
}

function widen(box: Box, run: Box): void {
  box.left = Math.min(box.left, run.left);
  box.right = Math.max(box.right, run.right);
  box.bottom = run.bottom;
}

/** Boxes that contain every pixel of this color, sorted from the top. Some of them may still be near each other. */
function boxesIn(band: Band, drawing: Image, color: number): Box[] {
  const boxes: Box[] = [];
  let open: Box[] = [];
  for (let top = band.from; top < band.to; top += 1) {
    if (open.some((box) => top - box.bottom > GAP)) open = open.filter((box) => top - box.bottom <= GAP);
    for (const run of runsIn(viewAsWords(sliceRows(drawing, { from: top, to: top + 1 })), color, top)) {
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

/** Few enough for a person to step through: if necessary, merges boxes that are farther apart. None is left out. */
function mergeAll(boxes: Box[]): Box[] {
  let merged = mergeNear(boxes, GAP);
  for (let gap = 2 * GAP; merged.length > MAX_REGIONS; gap *= 2) merged = mergeNear(merged, gap);
  return merged;
}

/**
 * The boxes around the differences, for a reviewer to step through. Changes near each other share a box. In reading
 * order, disjoint, at most 100.
 * @param bands rows of the drawing. No other row contains that color.
 * @param color of differing pixels, as a word of the drawing.
 * @param lone boxes outside the drawing that differ as a whole.
 */
export function changedRegions(bands: Band[], drawing: Image, color: number, lone: Box[]): Region[] {
  const boxes = bands.flatMap((band) => boxesIn(band, drawing, color));
  return mergeAll([...boxes, ...lone]).map(({ left, top, right, bottom }) => ({
    x: left,
    y: top,
    width: right - left,
    height: bottom - top,
  }));
}
