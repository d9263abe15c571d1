import type { ElementChange } from './element-change.ts';
import { isWithin, walk, type TreeNode } from './element-tree.ts';
import { isPartOfDrawing, isShift, PICTURES, shiftOf, type Shift } from './layout-cascade.ts';
import type { Matching } from './match-elements.ts';
import { isSigned, PIXELS } from './picture.ts';
import { expand, overlap, sizeOf, type ChangedRegion, type Region } from './region.ts';

/** How far glyphs and soft edges may reach out of their box, px. */
const REACH = 3;

/** The share of an area that must be inside an element for the area to belong to it. */
const COVERED = 0.95;

/** Whether an area overlaps one of the boxes, or is within `reach` px of one. */
const touches = (area: Region | null, boxes: Region[], reach: number): boolean =>
  area !== null && boxes.some((box) => overlap(expand(box, reach), area) > 0);

/** The smallest element that covers the area; of equal ones the innermost. */
function findCovering(nodes: TreeNode[], area: Region | null): TreeNode | null {
  if (area === null) return null;
  let found: TreeNode | null = null;
  for (const node of nodes) {
    if (overlap(expand(node.box, REACH), area) < COVERED * sizeOf(area)) continue;
    if (found === null || sizeOf(node.box) <= sizeOf(found.box)) found = node;
  }
  return found;
}

/** More than the edge of a box, or two edges that are merged into one area, px. */
const THICK = 40;

/** Chromium may draw single rows and columns of edges differently after a move, even by whole pixels, px. */
const SPECK = 2;

/** A box at a fraction of a pixel is drawn at a whole one, so it moves by almost a pixel more or less than it says. */
const SNAPPED = 0.95;

/** Both maps say that it shows the same picture, which may be drawn slightly differently elsewhere. */
function showsSame(node: TreeNode, matching: Matching): boolean {
  const before = matching.partners.get(node)?.element;
  const { picture, styles } = node.element;
  const background = styles['background-image'];
  const isPicture = picture !== null && picture !== '' && !picture.startsWith(PIXELS);
  return (
    isPartOfDrawing(node, matching) ||
    (isPicture && before?.picture === picture) ||
    (isSigned(background) && before?.styles['background-image'] === background)
  );
}

/**
 * Whether content looks the same, pixel by pixel, after moving this far. Moved by fractions of a pixel, edges are drawn
 * differently and lines of text are spaced differently. Within a large picture, that does not show.
 */
function keepsPixels({ x, y }: Shift, node: TreeNode, area: ChangedRegion, matching: Matching): boolean {
  const { element } = node;
  const { faint, width, height } = area;
  if (x === 0 && y === 0) return true;
  if (showsSame(node, matching)) return false;
  const thickness = Math.min(width, height);
  if (faint || thickness <= SPECK) return false;
  const isWhole = [x, y].every((way) => Math.abs(way - Math.round(way)) < 0.05);
  return isWhole || (PICTURES.has(element.tag) && thickness > THICK);
}

const leavesIn = (top: TreeNode, box: Region): TreeNode[] =>
  [...walk(top)].filter((node) => node.children.length === 0 && overlap(node.box, box) > 0);

/** Both images were compared where these elements moved to, so what differs there are their own pixels. */
function isLinedUp(area: ChangedRegion, element: TreeNode, matching: Matching): boolean {
  const { baseline, current } = area;
  if (baseline === null || current === null) return false;
  const [right, down] = [current.x - baseline.x, current.y - baseline.y];
  const leaves = leavesIn(element, current);
  const before = matching.partners.get(element);
  // What was in a place that is empty now may be elsewhere.
  if (leaves.length === 0 && before !== undefined)
    leaves.push(...leavesIn(before, baseline).map((node) => matching.partners.get(node) ?? node));
  return (leaves.length === 0 ? [element] : leaves).every((node) => {
    const shift = shiftOf(node, matching);
    return (
      shift !== null &&
      !isShift(shift.width) &&
      !isShift(shift.height) &&
      Math.abs(shift.x - right) < SNAPPED &&
      Math.abs(shift.y - down) < SNAPPED &&
      keepsPixels(shift, node, area, matching)
    );
  });
}

/** How far the vertical reach of soft shadows, outlines and margins goes. */
const reachOf = ({ kind }: ElementChange) => (kind === 'RESTYLED' ? 40 : REACH);

/** Whether a change shows, or may show, in an area. */
export function reaches(change: ElementChange, { baseline, current }: ChangedRegion): boolean {
  const reach = reachOf(change);
  return touches(baseline, change.baseline, reach) || touches(current, change.current, reach);
}

/** Pages flow downwards: what is below an area hardly moves it. */
const BELOW = 1_000_000;

function distance(area: ChangedRegion, change: ElementChange): number {
  const gap = (one: Region | null, boxes: Region[]) =>
    one === null
      ? []
      : boxes.map((box) =>
          Math.max(0, one.y - (box.y + box.height), box.y < one.y + one.height ? 0 : BELOW + box.y - one.y),
        );
  return Math.min(
    ...gap(area.current, change.current),
    ...gap(area.baseline, change.baseline),
    Number.MAX_SAFE_INTEGER,
  );
}

/** What explains an area: changes that it shows, or the element in which only pixels differ. */
export type Explained = { area: ChangedRegion; changes: ElementChange[]; element: TreeNode | null };

/** Why an area differs that no change touches: the nearest change that moves other elements. */
function findOrigin(area: ChangedRegion, element: TreeNode | null, changes: ElementChange[]): ElementChange[] {
  const moving = changes.filter(({ moves }) => moves);
  const related = moving.filter(({ nodes }) =>
    nodes.some((node) => element === null || isWithin(node, element) || isWithin(element, node)),
  );
  const candidates = related.length > 0 ? related : moving;
  const nearest = candidates.toSorted((one, other) => distance(area, one) - distance(area, other));
  return nearest.slice(0, 1);
}

/** Of the changes that reach the area, those that contain it, if any. */
function preferTouching(area: ChangedRegion, changes: ElementChange[]): ElementChange[] {
  const inside = changes.filter(
    (change) => touches(area.baseline, change.baseline, 0) || touches(area.current, change.current, 0),
  );
  return inside.length > 0 ? inside : changes;
}

export function explainArea(area: ChangedRegion, changes: ElementChange[], matching: Matching): Explained {
  const element = findCovering(matching.current, area.current) ?? findCovering(matching.baseline, area.baseline);
  const isCurrent = element !== null && matching.current.includes(element);
  const isOwn = isCurrent && isLinedUp(area, element, matching);
  const touching = changes.filter((change) => {
    if (!reaches(change, area)) return false;
    // Inside an element that only moved, grew or got other words, an unchanged element shows a difference of its own. So
    // does the element itself if it only moved.
    const others = change.nodes.filter((node) => change.alters === 'nothing' || element !== node);
    return change.alters === 'all' || !isOwn || !others.some((node) => isWithin(element, node));
  });
  if (touching.length > 0) return { area, changes: preferTouching(area, touching), element };
  if (isOwn) return { area, changes: [], element };
  return { area, changes: findOrigin(area, element, changes), element };
}
