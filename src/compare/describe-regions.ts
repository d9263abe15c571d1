import { createHash, type Hash } from 'node:crypto';
import { boxOf, placeOfSpace, type ChangedRegion, type Region } from '../elements/region.ts';
import { readBox, type Content } from './box-content.ts';
import { intersect, isNear, mergeNear, toBox, toRegion, type Box } from './box.ts';
import { colorDifference, toLab, type Lab } from './color-difference.ts';
import { COLOR } from './diff-colors.ts';
import type { Drawing } from './draw-canvas.ts';
import type { Scene } from './draw-strip.ts';
import { hashWords } from './hash-words.ts';
import { findInImage, placeOfGap } from './layout.ts';

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

/** Below this a pair of colors looks the same at a glance: see `colorDifference`. */
const SEEN_AT_A_GLANCE = 2;

/** The color of a pixel on white. */
function colorAt(bytes: Uint8Array, at: number): Lab {
  const alpha = (bytes[at + 3] ?? 0) / 255;
  const onWhite = (value = 0) => Math.round(255 + (value - 255) * alpha);
  return toLab(onWhite(bytes[at]), onWhite(bytes[at + 1]), onWhite(bytes[at + 2]));
}

/** True if no differing pixel of these rows is visible at a glance. Pixels that only one image has are visible. */
function isHardlySeen({ box, before, after }: Content, drawing: Drawing): boolean {
  const [one, other] = [new Uint8Array(before.buffer), new Uint8Array(after.buffer)];
  const width = box.right - box.left;
  // In a faint area, many pixels have the same pair of colors as the one before.
  let [last, otherLast] = [0, 0];
  for (let at = 0; at < before.length; at += 1) {
    const [word, otherWord] = [before[at] ?? 0, after[at] ?? 0];
    if (word === otherWord || (word === last && otherWord === otherLast)) continue;
    const drawn = (box.top + Math.floor(at / width)) * drawing.width + box.left + (at % width);
    if (drawing.bytes[drawn] !== COLOR.different) continue;
    if (word === 0 || otherWord === 0) return false;
    if (colorDifference(colorAt(one, at * 4), colorAt(other, at * 4)) >= SEEN_AT_A_GLANCE) return false;
    [last, otherLast] = [word, otherWord];
  }
  return true;
}

function isFaint(scene: Scene, box: Box, drawing: Drawing): boolean {
  for (const content of readBox(scene, box)) {
    if (!isHardlySeen(content, drawing)) return false;
  }
  return true;
}

/** Leaves out the pixels that were drawn in a color, or those that were not. */
function clear({ box, before, after }: Content, drawing: Drawing, isCleared: (color: number) => boolean): void {
  const width = box.right - box.left;
  for (let y = box.top; y < box.bottom; y += 1) {
    for (let x = box.left; x < box.right; x += 1) {
      if (!isCleared(drawing.bytes[y * drawing.width + x] ?? 0)) continue;
      before[(y - box.top) * width + x - box.left] = 0;
      after[(y - box.top) * width + x - box.left] = 0;
    }
  }
}

function hashRows(words: Uint32Array, width: number): Uint32Array {
  const hashes = new Uint32Array((words.length / width) * 2);
  for (let row = 0; row * width < words.length; row += 1) {
    const { low, high } = hashWords(words, row * width, (row + 1) * width);
    hashes.set([low, high], row * 2);
  }
  return hashes;
}

function describeContent(scene: Scene, box: Box, drawing: Drawing): Pick<ChangedRegion, 'fingerprint' | 'picture'> {
  const width = box.right - box.left;
  const [all, differing] = [createHash('sha256'), createHash('sha256')];
  for (const hash of [all, differing]) hash.update(`${width} × ${box.bottom - box.top}`);
  for (const content of readBox(scene, box)) {
    const add = (hash: Hash) => hash.update(hashRows(content.before, width)).update(hashRows(content.after, width));
    // Ignored pixels are not part of the change.
    if (scene.ignored.length > 0) clear(content, drawing, (color) => color === COLOR.ignored);
    add(all);
    clear(content, drawing, (color) => color !== COLOR.different);
    add(differing);
  }
  const [fingerprint = '', picture = ''] = [all, differing].map((hash) => hash.digest('hex').slice(0, 32));
  return { fingerprint, picture };
}

/** Where a box of the canvas is in each image. */
export function locate({ layout }: Scene, box: Region): Pick<ChangedRegion, 'baseline' | 'insertedAt' | 'current'> {
  const baseline = findInImage(layout, 'baseline', box);
  return {
    baseline,
    ...(baseline === null && { insertedAt: placeOfGap(layout, 'baseline', box) }),
    current: findInImage(layout, 'current', box),
  };
}

/** Filler that has nothing to do with ignored areas. It shows nothing, so it has no picture. */
export function describeFiller(scene: Scene): ChangedRegion[] {
  const { layout, ignored } = scene;
  return layout.pieces
    .filter((piece) => piece.filler && ignored.every((box) => intersect(toBox(piece), box).length === 0))
    .map((piece) => ({ ...boxOf(piece), ...locate(scene, piece), faint: false, fingerprint: '', picture: '' }));
}

function hashSpace(filler: ChangedRegion[]): { space?: string } {
  if (filler.length === 0) return {};
  const hash = createHash('sha256').update(JSON.stringify(filler.map((each) => [placeOfSpace(each), each.height])));
  return { space: hash.digest('hex').slice(0, 32) };
}

/** The regions in which a drawing differs, in reading order, with a description of each. */
export function describeRegions(scene: Scene, drawing: Drawing, filler: ChangedRegion[]): ChangedRegion[] {
  const space = hashSpace(filler);
  return changedRegions(drawing).map((region) => {
    const box = toBox(region);
    return {
      ...region,
      ...locate(scene, region),
      faint: isFaint(scene, box, drawing),
      ...describeContent(scene, box, drawing),
      ...space,
    };
  });
}
