/** A rectangle of whole pixels; `x` and `y` are its upper left corner, from that of the canvas. */
export type Region = { x: number; y: number; width: number; height: number };

/** The same by its edges; right and bottom are the first column and row that no longer belong to it. */
export type Box = { left: number; top: number; right: number; bottom: number };

/** True when no more than `gap` px lie between them, sideways and downwards. */
export function isNear(one: Box, other: Box, gap: number): boolean {
  return (
    one.left - other.right <= gap &&
    other.left - one.right <= gap &&
    one.top - other.bottom <= gap &&
    other.top - one.bottom <= gap
  );
}

function union(one: Box, other: Box): Box {
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  };
}

/** The box with all of the open ones that are near it, which leave the list. */
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

/** One walk down the canvas. A box that grew sideways may have come near one that was left behind: walk again. */
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
 * Makes one of all boxes that have no more than `gap` px between them, whatever order they come in; in reading order,
 * top first, then left.
 */
export function mergeNear(boxes: Box[], gap: number): Box[] {
  let merged = mergeOnce(boxes, gap);
  for (let before = boxes.length; merged.length < before;) {
    before = merged.length;
    merged = mergeOnce(merged, gap);
  }
  return merged.toSorted(inReadingOrder);
}
