import { readBox } from './box-content.ts';
import { intersect, toBox, type Box } from './box.ts';
import { changedRegions, locate } from './describe-regions.ts';
import { COLOR } from './diff-colors.ts';
import type { Drawing } from './draw-canvas.ts';
import type { Scene, Tally } from './draw-strip.ts';

/** Two for each corner of a small box with round corners, which are near enough to be one region. */
const MOST = 8;

/** No channel of the pixel differs by more than one of its 256 levels. */
function isNext(one: number, other: number): boolean {
  return [0, 8, 16, 24].every((shift) => Math.abs(((one >>> shift) & 0xff) - ((other >>> shift) & 0xff)) <= 1);
}

/** Where in the drawing the box differs, if in nothing but specks. */
function findSpecks(scene: Scene, box: Box, drawing: Drawing): number[] {
  const specks: number[] = [];
  const width = box.right - box.left;
  for (const { box: part, before, after } of readBox(scene, box)) {
    for (let at = 0; at < before.length; at += 1) {
      const drawn = (part.top + Math.floor(at / width)) * drawing.width + part.left + (at % width);
      if (drawing.bytes[drawn] !== COLOR.different) continue;
      if (specks.length === MOST || !isNext(before[at] ?? 0, after[at] ?? 0)) return [];
      specks.push(drawn);
    }
  }
  return specks;
}

/**
 * Chromium may draw pixels at round corners one level brighter or darker after a move, even by whole pixels. Where an
 * ignored element moved them, such specks count as anti-aliasing. Elsewhere they belong to the change that moved them.
 */
export function clearSpecks(scene: Scene, drawing: Drawing & { tally: Tally }): void {
  const { layout, ignored } = scene;
  const isGrowth = layout.pieces.some(
    (piece) => piece.filler && ignored.some((box) => intersect(toBox(piece), box).length > 0),
  );
  if (!isGrowth) return;
  for (const region of changedRegions(drawing)) {
    const { baseline, current } = locate(scene, region);
    if (baseline === null || current === null || baseline.y === current.y) continue;
    const specks = findSpecks(scene, toBox(region), drawing);
    for (const speck of specks) drawing.bytes[speck] = COLOR.antialiased;
    drawing.tally.different -= specks.length;
  }
}
