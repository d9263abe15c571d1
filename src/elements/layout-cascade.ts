import type { TreeNode } from './element-tree.ts';
import type { Matching } from './match-elements.ts';
import type { Area } from './page-change.ts';
import { sharesColumns, sharesRows } from './page-change.ts';

/** How far a box went and how much it grew, px of the image. */
export type Shift = { x: number; y: number; width: number; height: number };
type Axis = 'width' | 'height';

/** Less is rounding. */
const LEAST = 0.75;

export const isShift = (value: number): boolean => Math.abs(value) >= LEAST;

const isBoxed = ({ width, height }: Area) => width > 0 && height > 0;

/** Of an element of the current map; null when it has no partner, or one of them draws no box. */
export function shiftOf(node: TreeNode, { partners }: Pick<Matching, 'partners'>): Shift | null {
  const before = partners.get(node)?.box;
  const { box } = node;
  if (before === undefined || !isBoxed(before) || !isBoxed(box)) return null;
  return {
    x: box.x - before.x,
    y: box.y - before.y,
    width: box.width - before.width,
    height: box.height - before.height,
  };
}

/** Which elements of the current map may have got other boxes only because something else changed. */
export type Cascade = {
  /** Marks an element whose change may move and resize others. */
  add: (node: TreeNode) => void;
  /** The same for what was removed from a parent. */
  addRemoved: (parent: TreeNode, box: Area) => void;
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
  const removed = new Map<TreeNode, Area[]>();
  const hold = (from: TreeNode | null) => {
    for (let at = from; at !== null && !holding.has(at); at = at.parent) holding.add(at);
  };
  const isInside = (node: TreeNode) => {
    for (let at: TreeNode | null = node; at !== null; at = at.parent) if (marked.has(at)) return true;
    return false;
  };
  /** Something beside it in the same row, or in the same flexible box, was resized, added or removed. */
  const isSqueezed = (node: TreeNode, axis: Axis): boolean => {
    for (let at = node; at.parent !== null; at = at.parent) {
      const { parent } = at;
      const wide = axis === 'width' && FLEXIBLE.test(parent.element.styles.display);
      const isBeside = (box: Area) => wide || sharesRows(box, at.box);
      if (parent.children.some((child) => child !== at && holding.has(child) && isBeside(child.box))) return true;
      if (removed.get(parent)?.some(isBeside) === true) return true;
    }
    return false;
  };
  return {
    add: (node) => {
      marked.add(node);
      hold(node);
    },
    addRemoved: (parent, box) => {
      removed.set(parent, [...(removed.get(parent) ?? []), box]);
      hold(parent);
    },
    holds: (node) => holding.has(node),
    isInside,
    explains: (node, axis) => holding.has(node) || isInside(node) || isSqueezed(node, axis),
    explainsMove: (node) => {
      const { parent } = node;
      if (parent === null || isInside(node) || removed.has(parent)) return true;
      const grown = shiftOf(parent, matching);
      if (grown === null || isShift(grown.width) || isShift(grown.height)) return true;
      return parent.children.some((child) => child !== node && holding.has(child));
    },
  };
}

/**
 * Those in which a change of size begins. Of a chain of boxes around each other it is the one with others beside it in
 * the page's flow: a bar, not the body that grew with it, nor what was stretched in it.
 */
function findOrigins(top: TreeNode, resized: Set<TreeNode>, axis: Axis): TreeNode[] {
  const children = top.children.filter((child) => resized.has(child));
  if (children.length === 0) return [top];
  const isAlong = (child: TreeNode) => {
    const others = top.children.filter((other) => other !== child && isBoxed(other.box));
    const meets = axis === 'height' ? sharesRows : sharesColumns;
    return others.length > 0 && !others.some((other) => meets(other.box, child.box));
  };
  const isFrame = top.element.tag === 'html' || top.element.tag === 'body';
  if (!children.every(isAlong) && !(isFrame && children.length === 1)) return [top];
  return children.flatMap((child) => findOrigins(child, resized, axis));
}

function findResizedAlong(matching: Matching, cascade: Cascade, axis: Axis): TreeNode[] {
  const isUnexplained = (node: TreeNode) => {
    const shift = shiftOf(node, matching);
    return shift !== null && isShift(shift[axis]) && !cascade.explains(node, axis);
  };
  const resized = new Set(matching.current.filter(isUnexplained));
  const tops = [...resized].filter(({ parent }) => parent === null || !resized.has(parent));
  const origins = tops.flatMap((top) => findOrigins(top, resized, axis));
  for (const origin of origins) cascade.add(origin);
  return origins;
}

/** Elements whose size changed by itself, with what they resize in turn added to the cascade. */
export function findResized(matching: Matching, cascade: Cascade): TreeNode[] {
  const wider = findResizedAlong(matching, cascade, 'width');
  const higher = findResizedAlong(matching, cascade, 'height');
  return [...new Set([...wider, ...higher])];
}

/** Elements that went somewhere else in their parent, though nothing pushed them. */
export function findMoved(matching: Matching, cascade: Cascade): TreeNode[] {
  const moved = matching.current.filter((node) => {
    const [shift, frame] = [shiftOf(node, matching), node.parent && shiftOf(node.parent, matching)];
    if (shift === null || frame === null) return false;
    return (isShift(shift.x - frame.x) || isShift(shift.y - frame.y)) && !cascade.explainsMove(node);
  });
  for (const node of moved) cascade.add(node);
  return moved;
}
