import type { Region } from '../elements/region.ts';

/** A `Region` by its edges. `right` and `bottom` are the first column and row outside the box. */
export type Box = { left: number; top: number; right: number; bottom: number };

/** True when at most `gap` px lie between the boxes, horizontally and vertically. */
export function isNear(one: Box, other: Box, gap: number): boolean {
  return (
    one.left - other.right <= gap &&
    other.left - one.right <= gap &&
    one.top - other.bottom <= gap &&
    other.top - one.bottom <= gap
  );
}

export function toRegion({ left, top, right, bottom }: Box): Region {
  return { x: left, y: top, width: right - left, height: bottom - top };
}

export function toBox({ x, y, width, height }: Region): Box {
  return { left: x, top: y, right: x + width, bottom: y + height };
}

/** In tenths of a pixel, as element maps are. */
export const endsWithinPixel = ({ y, height }: Region) => Math.round((y + height) * 10) % 10 !== 0;

export const isEmpty = ({ left, top, right, bottom }: Box): boolean => right <= left || bottom <= top;

/** The part of a box that is in the other one. Empty if none is. */
export function clip(box: Box, other: Box): Box {
  return {
    left: Math.max(box.left, other.left),
    top: Math.max(box.top, other.top),
    right: Math.min(box.right, other.right),
    bottom: Math.min(box.bottom, other.bottom),
  };
}

/** The intersection of both: one box, or none. */
export const intersect = (one: Box, other: Box): Box[] => [clip(one, other)].filter((common) => !isEmpty(common));

/** The intersections of each box with each of the others, from the top. Only boxes in the same rows are compared. */
export function intersectAll(boxes: Box[], others: Box[]): Box[] {
  const waiting = others.toSorted(inReadingOrder).values();
  let next = waiting.next().value;
  let open: Box[] = [];
  return boxes.toSorted(inReadingOrder).flatMap((box) => {
    for (; next !== undefined && next.top < box.bottom; next = waiting.next().value) open.push(next);
    open = open.filter(({ bottom }) => bottom > box.top);
    return open.flatMap((other) => intersect(box, other));
  });
}

/** The smallest box that contains both. */
export function union(one: Box, other: Box): Box {
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  };
}

/** Merges the box with all open boxes near it, and removes those from the list. */
function takeNear(open: Box[], box: Box, gap: number): Box {
  let taken = box;
  let at = open.findIndex((other) => isNear(taken, other, gap));
  while (at !== -1) {
    taken = open.splice(at, 1).reduce(union, taken);
    at = open.findIndex((other) => isNear(taken, other, gap));
  }
  return taken;
}

function inReadingOrder(one: Box, other: Box): number {
  return one.top - other.top || one.left - other.left;
}

/** Walks down the canvas once. A box that grew sideways may be near one already passed, so call this again. */
function mergeOnce(boxes: Box[], gap: number): Box[] {
  const done: Box[] = [];
  let open: Box[] = [];
  for (const box of boxes.toSorted(inReadingOrder)) {
    const taken = takeNear(open, box, gap);
    const passed = open.filter((other) => box.top - other.bottom > gap);
    if (passed.length > 0) open = open.filter((other) => box.top - other.bottom <= gap);
    done.push(...passed);
    open.push(taken);
  }
  return [...done, ...open];
}

/**
 * Merges all boxes that have at most `gap` px between them, whatever order they come in. Returns them in reading order:
 * by top, then by left.
 */
export function mergeNear(boxes: Box[], gap: number): Box[] {
  let merged = mergeOnce(boxes, gap);
  for (let before = boxes.length; merged.length < before;) {
    before = merged.length;
    merged = mergeOnce(merged, gap);
  }
  return merged.toSorted(inReadingOrder);
}
