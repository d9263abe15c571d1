import { clip, isEmpty, type Box } from '../../compare/box.ts';
import type { ElementStyles } from '../../elements/element-styles.ts';
import type { Layout, SnapshotNode, SnapshotTree } from './dom-snapshot.ts';

export type DrawnElement = {
  node: SnapshotNode & { kind: 'element' };
  /** Its position in the snapshot. */
  place: { document: number; node: number };
  tag: string;
  attributes: Map<string, string>;
  value: string;
  parent: DrawnElement | null;
  depth: number;
  /** Texts that are drawn and child elements, in order. */
  content: (string | DrawnElement)[];
  /** `::before` and the like. */
  generated: DrawnElement[];
  /** The visible part, in CSS px of the page. Null if there is none. */
  box: Box | null;
  styles: ElementStyles | null;
};

/** The boxes that clip descendants, by how these are positioned. */
type Clips = { flow: Box; absolute: Box; fixed: Box };

type Shift = { x: number; y: number };

/** The place of a document's own node. */
const DOCUMENT = 0;

type Placed = { element: DrawnElement; clips: Clips };

const move = ({ left, top, right, bottom }: Box, x: number, y: number): Box => ({
  left: left + x,
  top: top + y,
  right: right + x,
  bottom: bottom + y,
});

function clipFor({ styles }: Layout, clips: Clips): Box {
  if (styles.position === 'fixed') return clips.fixed;
  return styles.position === 'absolute' ? clips.absolute : clips.flow;
}

/** The box that clips the children of an element. `overflow` of html and body applies to the viewport instead. */
function clipsInside(tag: string, layout: Layout | null, box: Box, around: Box, outer: Clips): Clips {
  if (layout === null) return outer;
  const { overflow, position, transform, filter } = layout.styles;
  const [across, down = across] = tag === 'html' || tag === 'body' ? ['visible'] : overflow.split(' ');
  const { left, right } = across === 'visible' ? around : box;
  const { top, bottom } = down === 'visible' ? around : box;
  const flow = clip({ left, top, right, bottom }, around);
  const holdsFixed = transform !== 'none' || filter !== 'none';
  return {
    flow,
    absolute: holdsFixed || position !== 'static' ? flow : outer.absolute,
    fixed: holdsFixed ? flow : outer.fixed,
  };
}

/** `[top, right, bottom, left]` of a computed `padding` or `border-width`, px. */
function readSides(value: string): [number, number, number, number] {
  const [top = 0, right = top, bottom = top, left = right] = value
    .split(' ')
    .map((part) => Number.parseFloat(part) || 0);
  return [top, right, bottom, left];
}

/** Where the document of a frame is drawn. */
function contentBox({ styles }: Layout, box: Box): Box {
  const border = readSides(styles['border-width']);
  const padding = readSides(styles.padding);
  return {
    left: box.left + border[3] + padding[3],
    top: box.top + border[0] + padding[0],
    right: box.right - border[1] - padding[1],
    bottom: box.bottom - border[2] - padding[2],
  };
}

/** A closed list draws its text itself. */
const isChosenOption = (node: SnapshotNode | null | undefined) => node?.kind === 'element' && node.selected;

function closest(element: DrawnElement | null, is: (element: DrawnElement) => boolean): DrawnElement | null {
  return element === null || is(element) ? element : closest(element.parent, is);
}

const isSelect = ({ tag }: DrawnElement) => tag === 'select';

/** A `slot`, for example, has no box. What is around it draws its words. */
const hasBox = ({ styles }: DrawnElement) => styles !== null;

function elementOf(
  node: SnapshotNode & { kind: 'element' },
  place: DrawnElement['place'],
  parent: DrawnElement | null,
  box: Box | null,
): DrawnElement {
  const { tag, attributes, value, layout } = node;
  const depth = parent === null ? 0 : parent.depth + 1;
  const styles = layout?.styles ?? null;
  return { node, place, tag, attributes, value, parent, depth, content: [], generated: [], box, styles };
}

/**
 * The elements of all documents in document order. A frame's document is inside its `iframe`.
 * @param area What the screenshot shows, CSS px.
 * @param left See `TakenPage`.
 */
export function findDrawnElements(
  trees: SnapshotTree[],
  area: { width: number; height: number },
  left: number,
): DrawnElement[] {
  const found: DrawnElement[] = [];

  function place(
    node: SnapshotNode & { kind: 'element' },
    at: DrawnElement['place'],
    above: Placed | null,
    outer: Clips,
    shift: Shift,
  ): Placed {
    const { tag, layout } = node;
    const box = layout === null ? outer.flow : move(layout.box, shift.x, shift.y);
    const around = layout === null ? outer.flow : clipFor(layout, outer);
    const seen = clip(box, around);
    const parent = above?.element ?? null;
    const element = elementOf(node, at, parent, layout === null || isEmpty(seen) ? null : seen);
    if (tag.startsWith('::')) parent?.generated.push(element);
    else {
      found.push(element);
      parent?.content.push(element);
    }
    const placed = { element, clips: clipsInside(tag, layout, box, around, outer) };
    if (layout !== null && node.frame !== null) placeFrame(node.frame, placed, contentBox(layout, box));
    return placed;
  }

  function placeFrame(document: number, frame: Placed, box: Box): void {
    const scroll = trees[document]?.scroll ?? { x: 0, y: 0 };
    const seen = clip(box, frame.clips.flow);
    const shift = { x: box.left - scroll.x, y: box.top - scroll.y };
    if (!isEmpty(seen)) placeTree(document, frame, { flow: seen, absolute: seen, fixed: seen }, shift);
  }

  function placeTree(document: number, root: Placed | null, clips: Clips, shift: Shift): void {
    const nodes = trees[document]?.nodes ?? [];
    const placed = new Map<number, Placed>();
    for (const [index, node] of nodes.entries()) {
      const above = node?.parent === DOCUMENT ? root : placed.get(node?.parent ?? -1);
      // The content of templates has no such parent.
      if (node === null || above === undefined) continue;
      const at = { document, node: index };
      const around = above?.element ?? null;
      if (node.kind === 'element') placed.set(index, place(node, at, above, above?.clips ?? clips, shift));
      else if (node.layout !== null) closest(around, hasBox)?.content.push(node.text);
      else if (isChosenOption(nodes[node.parent])) closest(around, isSelect)?.content.push(node.text);
    }
  }

  const image = { left: 0, top: 0, right: area.width, bottom: area.height };
  placeTree(0, null, { flow: image, absolute: image, fixed: image }, { x: left, y: 0 });
  return found;
}
