import { isCell, isGenerated, walk, type TreeNode } from './element-tree.ts';
import type { Matching } from './match-elements.ts';
import { isEmpty, sharesColumns, sharesRows, type Region } from './region.ts';

/** How far a box moved and how much it grew, in px of the image. */
export type Shift = { x: number; y: number; width: number; height: number };
type Axis = 'width' | 'height';

export const PICTURES: ReadonlySet<string> = new Set(['img', 'canvas', 'svg', 'video', 'iframe', 'embed', 'object']);

/** Smaller differences are rounding. */
const LEAST = 0.75;

export const isShift = (value: number): boolean => Math.abs(value) >= LEAST;

/** For an element of the current map. Null if it has no partner, or if one of them has no box. */
export function shiftOf(node: TreeNode, { partners }: Pick<Matching, 'partners'>): Shift | null {
  const before = partners.get(node)?.box;
  const { box } = node;
  if (before === undefined || isEmpty(before) || isEmpty(box)) return null;
  return {
    x: box.x - before.x,
    y: box.y - before.y,
    width: box.width - before.width,
    height: box.height - before.height,
  };
}

/** Whether it is in an `svg`. If anything in one is drawn differently, the whole `svg` counts as changed. */
export function isPartOfDrawing({ parent }: TreeNode, { partners }: Pick<Matching, 'partners'>): boolean {
  for (let at = parent; at !== null; at = at.parent) {
    if (at.element.tag !== 'svg') continue;
    return [at, partners.get(at)].every((drawing) => (drawing?.element.picture ?? null) !== null);
  }
  return false;
}

/**
 * Generated content that is positioned in an element that kept its size: only its own font size moves it. Null for
 * anything else.
 */
function readPlaced(node: TreeNode, { partners }: Matching): { before: Region; after: Region; factor: number } | null {
  const [before, was] = [partners.get(node), node.parent && partners.get(node.parent)];
  const isPlaced = isGenerated(node) && node.element.text === '' && node.element.styles.position === 'absolute';
  if (!isPlaced || before === undefined || !was || node.parent === null) return null;
  const [one, other] = [was.box, node.parent.box];
  if (isShift(other.width - one.width) || isShift(other.height - one.height)) return null;
  const [from, to] = [before, node].map(({ element }) => Number.parseFloat(element.styles['font-size']));
  const within = (box: Region, frame: Region) => ({ ...box, x: box.x - frame.x, y: box.y - frame.y });
  return { before: within(before.box, one), after: within(node.box, other), factor: (to ?? 1) / (from ?? 1) };
}

const followsFont = ({ before, after, factor }: NonNullable<ReturnType<typeof readPlaced>>, sides: (keyof Region)[]) =>
  sides.every((side) => !isShift(after[side] - before[side] * factor) || !isShift(after[side] - before[side]));

/** Which elements of the current map may have other boxes only because something else changed. */
export type Cascade = {
  /** Marks an element whose change may move and resize others. */
  add: (node: TreeNode) => void;
  /** Marks an element that kept its size: only its content may move. */
  addContent: (node: TreeNode) => void;
  /** Marks that something was removed from a parent. */
  addRemoved: (parent: TreeNode, box: Region) => void;
  /** Whether the element is or contains one that was marked. */
  holds: (node: TreeNode) => boolean;
  isInside: (node: TreeNode) => boolean;
  explains: (node: TreeNode, axis: Axis) => boolean;
  explainsMove: (node: TreeNode) => boolean;
};

const FLEXIBLE = /flex|grid|table|inline/;

export function buildCascade(matching: Matching): Cascade {
  const holding = new Set<TreeNode>();
  const marked = new Set<TreeNode>();
  const removed = new Map<TreeNode, Region[]>();
  const hold = (from: TreeNode | null) => {
    for (let at = from; at !== null && !holding.has(at); at = at.parent) holding.add(at);
  };
  const isInside = (node: TreeNode) => {
    for (let at: TreeNode | null = node; at !== null; at = at.parent) if (marked.has(at)) return true;
    return false;
  };
  /** Something beside it, in the same row or the same flex container, was resized, added or removed. */
  const isSqueezed = (node: TreeNode, axis: Axis): boolean => {
    for (let at = node; at.parent !== null; at = at.parent) {
      const { parent } = at;
      const wide = axis === 'width' && FLEXIBLE.test(parent.element.styles.display);
      const isBeside = (box: Region) => wide || sharesRows(box, at.box);
      if (parent.children.some((child) => child !== at && holding.has(child) && isBeside(child.box))) return true;
      if (removed.get(parent)?.some(isBeside) === true) return true;
    }
    return false;
  };
  const hasNewWidth = (node: TreeNode) => isShift(shiftOf(node, matching)?.width ?? 0);
  /** Columns are equally wide in all rows of a table, also in those in which nothing changed. */
  const pushes = (node: TreeNode) => holding.has(node) || (isCell(node) && hasNewWidth(node));
  /** It fills a box that became wider because of something else in it. */
  const isStretched = (node: TreeNode): boolean => {
    for (let at = node.parent; at !== null && hasNewWidth(at); at = at.parent) if (holding.has(at)) return true;
    return false;
  };
  return {
    add: (node) => {
      marked.add(node);
      hold(node);
    },
    addContent: (node) => void marked.add(node),
    addRemoved: (parent, box) => {
      removed.set(parent, [...(removed.get(parent) ?? []), box]);
      hold(parent);
    },
    holds: (node) => holding.has(node),
    isInside,
    explains: (node, axis) => {
      const placed = readPlaced(node, matching);
      if (placed !== null) return followsFont(placed, [axis]);
      if (holding.has(node) || isInside(node) || isSqueezed(node, axis)) return true;
      // Lines wrap differently because the width changed, and that is explained first.
      return axis === 'width' ? isStretched(node) : hasNewWidth(node);
    },
    explainsMove: (node) => {
      const { parent } = node;
      const placed = readPlaced(node, matching);
      if (placed !== null) return followsFont(placed, ['x', 'y']);
      if (parent === null || isInside(node) || removed.has(parent)) return true;
      const grown = shiftOf(parent, matching);
      if (grown === null || isShift(grown.width) || isShift(grown.height)) return true;
      return parent.children.some((child) => child !== node && pushes(child));
    },
  };
}

/**
 * The elements in which a change of size begins. In a chain of nested boxes it is the one with siblings in the page's
 * flow: a bar, not the body that grew with it, and not what was stretched inside it.
 */
function findOrigins(top: TreeNode, resized: Set<TreeNode>, axis: Axis): TreeNode[] {
  const children = top.children.filter((child) => resized.has(child));
  if (children.length === 0) return [top];
  const isAlong = (child: TreeNode) => {
    const others = top.children.filter((other) => other !== child && !isEmpty(other.box));
    const meets = axis === 'height' ? sharesRows : sharesColumns;
    return others.length > 0 && !others.some((other) => meets(other.box, child.box));
  };
  const isFrame = top.element.tag === 'html' || top.element.tag === 'body';
  if (!children.every(isAlong) && !(isFrame && children.length === 1)) return [top];
  return children.flatMap((child) => findOrigins(child, resized, axis));
}

/** Pictures have a size of their own. If one did not just follow its parent, others followed it. */
function findResizedPictures(matching: Matching, cascade: Cascade): TreeNode[] {
  return matching.current.filter((node) => {
    const [shift, frame] = [shiftOf(node, matching), node.parent && shiftOf(node.parent, matching)];
    if (!PICTURES.has(node.element.tag) || shift === null || frame === null || cascade.isInside(node)) return false;
    return (['width', 'height'] as const).some((axis) => isShift(shift[axis]) && isShift(shift[axis] - frame[axis]));
  });
}

const countWithin = (node: TreeNode): number => [...walk(node)].length;

/**
 * One of the boxes that share space gave up what another took. The one with the most content usually takes the
 * remaining space, at every viewport.
 */
function dropCounterparts(origins: TreeNode[], matching: Matching, axis: Axis): TreeNode[] {
  const grew = (node: TreeNode) => (shiftOf(node, matching)?.[axis] ?? 0) > 0;
  const byParent = new Map<TreeNode | null, TreeNode[]>();
  for (const node of origins) {
    const siblings = byParent.get(node.parent) ?? [];
    byParent.set(node.parent, siblings);
    siblings.push(node);
  }
  return [...byParent.values()].flatMap((siblings) => {
    const [grown, shrunk] = [siblings.filter(grew), siblings.filter((node) => !grew(node))];
    if (grown.length === 0 || shrunk.length === 0) return siblings;
    // Each is counted once, because a table may have thousands of rows.
    const counts = new Map(siblings.map((node) => [node, countWithin(node)]));
    const most = Math.max(...counts.values());
    const largest = siblings.find((node) => counts.get(node) === most);
    return largest !== undefined && grew(largest) ? shrunk : grown;
  });
}

/** The nearest box around the element. Some elements in between, such as a `slot`, draw none. */
function frameOf({ parent }: TreeNode): TreeNode | null {
  for (let at = parent; at !== null; at = at.parent) if (!isEmpty(at.box)) return at;
  return null;
}

function findResizedAlong(matching: Matching, cascade: Cascade, axis: Axis): TreeNode[] {
  const isUnexplained = (node: TreeNode) => {
    const shift = shiftOf(node, matching);
    if (isPartOfDrawing(node, matching)) return false;
    return shift !== null && isShift(shift[axis]) && !cascade.explains(node, axis);
  };
  const resized = new Set(matching.current.filter(isUnexplained));
  const tops = [...resized].filter((node) => {
    const frame = frameOf(node);
    return frame === null || !resized.has(frame);
  });
  const origins = tops.flatMap((top) => findOrigins(top, resized, axis));
  for (const origin of origins) cascade.add(origin);
  return dropCounterparts(origins, matching, axis);
}

/**
 * Elements whose size changed for a reason of their own. Adds what they resize in turn to the cascade. @returns each with
 * how much it grew in that direction, and 0 for the other one, in which it only followed.
 */
export function findResized(matching: Matching, cascade: Cascade): Map<TreeNode, Shift> {
  const pictures = findResizedPictures(matching, cascade);
  for (const picture of pictures) cascade.add(picture);
  const wider = findResizedAlong(matching, cascade, 'width');
  const higher = findResizedAlong(matching, cascade, 'height');
  const grown = (nodes: TreeNode[], also: Partial<Shift>) =>
    nodes.flatMap((node): [TreeNode, Shift][] => {
      const shift = shiftOf(node, matching);
      return shift === null ? [] : [[node, { ...shift, ...also }]];
    });
  return new Map([...grown(pictures, {}), ...grown(wider, { height: 0 }), ...grown(higher, { width: 0 })]);
}

/**
 * Elements that moved within their parent although nothing pushed them. @returns each with how far it moved in its
 * parent.
 */
export function findMoved(matching: Matching, cascade: Cascade): Map<TreeNode, Shift> {
  const moved = new Map<TreeNode, Shift>();
  for (const node of matching.current) {
    const shift = shiftInParent(node, matching);
    if (shift === null || node.parent === null || cascade.explainsMove(node)) continue;
    if ((isShift(shift.x) || isShift(shift.y)) && !isPartOfDrawing(node, matching)) moved.set(node, shift);
  }
  for (const node of moved.keys()) cascade.add(node);
  return moved;
}

/** Like `shiftOf`, but relative to its parent, if that has a box. */
export function shiftInParent(node: TreeNode, matching: Matching): Shift | null {
  const shift = shiftOf(node, matching);
  const frame = node.parent === null ? null : shiftOf(node.parent, matching);
  return shift === null || frame === null ? shift : { ...shift, x: shift.x - frame.x, y: shift.y - frame.y };
}
