import type { Region } from '../elements/region.ts';
import { isNear, mergeNear, toRegion, type Box } from './box.ts';
import { COLOR } from './diff-colors.ts';
import type { Drawing } from './draw-canvas.ts';

/** Changes at most this many px apart look like one. More than between lines, less than between paragraphs. */
const GAP = 16;

/** The maximum number of regions that a person can step through without getting confused. */
const MAX_REGIONS = 100;

/** The last differing pixel of the run that starts at `first`. Each pixel of a run is near the one before. */
function endOfRun(row: Buffer, first: number): number {
  let last = first;
  // Backwards from the farthest near pixel, so most pixels in between are never looked at.
  for (let x = last + GAP + 1; x > last; x -= 1) {
    if (row[x] === COLOR.different) {
      last = x;
      x += GAP + 2;
    }
  }
  return last;
}

/** The row's differing pixels as boxes one pixel high. Pixels near each other share a box. */
function runsIn(row: Buffer, top: number): Box[] {
  const runs: Box[] = [];
  let left = row.indexOf(COLOR.different);
  while (left !== -1) {
    const right = endOfRun(row, left) + 1;
    runs.push({ left, top, right, bottom: top + 1 });
    left = row.indexOf(COLOR.different, right);
  }
  return runs;
}

function widen(box: Box, run: Box): void {
  box.left = Math.min(box.left, run.left);
  box.right = Math.max(box.right, run.right);
  box.bottom = run.bottom;
}

/** Boxes that contain every differing pixel, sorted from the top. Some of them may still be near each other. */
function boxesIn({ width, height, bytes }: Drawing): Box[] {
  const boxes: Box[] = [];
  let open: Box[] = [];
  for (let top = 0; top < height; top += 1) {
    const runs = runsIn(bytes.subarray(top * width, (top + 1) * width), top);
    if (runs.length > 0) open = open.filter((box) => top - box.bottom <= GAP);
    for (const run of runs) {
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

/** Merges boxes that are farther apart, if necessary, until there are few enough to step through. None is left out. */
function mergeAll(boxes: Box[]): Box[] {
  let merged = mergeNear(boxes, GAP);
  for (let gap = 2 * GAP; merged.length > MAX_REGIONS; gap *= 2) merged = mergeNear(merged, gap);
  return merged;
}

/**
 * The boxes around the differences, for a reviewer to step through. Changes near each other share a box. In reading
 * order, disjoint, at most 100.
 */
export function changedRegions(drawing: Drawing): Region[] {
  return mergeAll(boxesIn(drawing)).map(toRegion);
}
