import type { Band, Picture } from './picture.ts';
import { rowsOf, wordsOf } from './picture.ts';
import type { Box, Region } from './region.ts';
import { mergeNear } from './region.ts';

/** Pixels that read as one change when no more lie between them: more than between lines, less than between paragraphs. */
const GAP = 16;

/** What a person steps through, and what a page can outline, without losing sight. */
const MAX_REGIONS = 100;

/** Calls `onRun` with the runs of the colour in a row, from `left` to before `right`; what lies near is one run. */
function findRuns(row: Uint32Array, colour: number, onRun: (left: number, right: number) => void): void {
  let left = row.indexOf(colour);
  if (left === -1) return;
  let right = left + 1;
  for (let x = right; x < row.length; x += 1) {
    if (row[x] !== colour) continue;
    if (x - right > GAP) {
      onRun(left, right);
      left = x;
    }
    right = x + 1;
  }
  onRun(left, right);
}

/** Boxes that hold every pixel of the colour, top first; some of them may still lie near each other. */
function boxesIn(band: Band, drawing: Picture, colour: number): Box[] {
  const pixels = wordsOf(rowsOf(drawing, band));
  const boxes: Box[] = [];
  let open: Box[] = [];
  for (let top = band.from; top < band.to; top += 1) {
    const start = (top - band.from) * drawing.width;
    if (open.some((box) => top - box.bottom > GAP)) open = open.filter((box) => top - box.bottom <= GAP);
    findRuns(pixels.subarray(start, start + drawing.width), colour, (left, right) => {
      const box = open.find((other) => left - other.right <= GAP && other.left - right <= GAP);
      if (box === undefined) {
        const made = { left, top, right, bottom: top + 1 };
        boxes.push(made);
        open.push(made);
      } else {
        box.left = Math.min(box.left, left);
        box.right = Math.max(box.right, right);
        box.bottom = top + 1;
      }
    });
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
