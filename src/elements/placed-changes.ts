import { cut, formatCount } from '../text/format.ts';
import { cutText, quote, type ElementChange } from './element-change.ts';
import { isResolved, STYLE_NAMES } from './element-styles.ts';
import { drawnArea, isCell, isGenerated, textsIn, type TreeNode } from './element-tree.ts';
import { isInherited } from './inherited-styles.ts';
import { isPartOfDrawing, isShift, type Shift } from './layout-cascade.ts';
import type { Matching } from './match-elements.ts';
import { nameElement } from './name-element.ts';
import { compareAddresses, hashPicture, shortenAddress } from './picture.ts';
import type { Region } from './region.ts';

const round = (value: number, scale: number) => Math.round((2 * value) / scale) / 2;

export function describeSize({ width, height }: Shift, scale: number): { summary: string; what: string } {
  const [wider, higher] = [round(width, scale), round(height, scale)];
  const parts = [
    ...(isShift(height) ? [`${Math.abs(higher)} px ${higher > 0 ? 'taller' : 'shorter'}`] : []),
    ...(isShift(width) ? [`${Math.abs(wider)} px ${wider > 0 ? 'wider' : 'narrower'}`] : []),
  ];
  // For a picture. Widths often follow the viewport, so they distinguish changes only if the heights are equal.
  return { summary: parts.join(', '), what: isShift(height) ? `height ${higher}` : `width ${wider}` };
}

export function describePlace({ x, y }: Shift, scale: number): { summary: string; what: string } {
  const [right, down] = [round(x, scale), round(y, scale)];
  const parts = [
    ...(isShift(y) ? [`${Math.abs(down)} px ${down > 0 ? 'down' : 'up'}`] : []),
    ...(isShift(x) ? [`${Math.abs(right)} px to the ${right > 0 ? 'right' : 'left'}`] : []),
  ];
  const what = [...(isShift(y) ? [`y ${down}`] : []), ...(isShift(x) ? [`x ${right}`] : [])].join(' ');
  return { summary: `moved ${parts.join(', ')}`, what };
}

export const formatSize = ({ width, height }: Region, scale: number) =>
  `${round(width, scale)} × ${round(height, scale)} px`;

/** The element's own styles. Inherited ones depend on where the element is. */
function ownStyles({ element, parent }: TreeNode): string[] {
  const { styles } = element;
  const isSet = styles.width !== '';
  return STYLE_NAMES.map((name) => {
    const isOwn = !isInherited(name) || styles[name] !== parent?.element.styles[name];
    // The computed value, which may differ for the same element elsewhere.
    if (!isOwn || (isResolved(name) && !isSet)) return '';
    return compareAddresses(styles[name], styles[name])[0];
  });
}

/** Generated content has no size other than that of its box, which may be that of its element. */
function sizeOf({ box, parent }: TreeNode): string[] {
  return (['width', 'height'] as const).map((side) =>
    Math.abs(box[side] - (parent?.box[side] ?? 0)) < 1 ? 'all' : `${Math.round(box[side])}`,
  );
}

const known = new WeakMap<TreeNode, string>();

/**
 * A hash of an element and its content: words, pictures, styles and explicit sizes. It does not depend on where the
 * element is.
 */
function digestContent(node: TreeNode): string {
  const digested = known.get(node);
  if (digested !== undefined) return digested;
  const { tag, text, picture, attributes } = node.element;
  const isDecoration = isGenerated(node) && text === '';
  const own = [tag, text, picture ?? shortenAddress(attributes.src ?? ''), ...ownStyles(node)];
  const content = [own, isDecoration ? sizeOf(node) : [], node.children.map(digestContent)];
  const digest = hashPicture(JSON.stringify(content));
  known.set(node, digest);
  return digest;
}

const NOUNS: Record<string, string> = {
  li: 'item',
  a: 'link',
  p: 'paragraph',
  tr: 'row',
  img: 'image',
  option: 'option',
  td: 'cell',
  th: 'cell',
};

function countNodes(nodes: TreeNode[]): string {
  const nouns = new Set(nodes.map(({ element }) => NOUNS[element.tag]));
  const [noun = 'element'] = nouns.size === 1 ? nouns : [];
  return formatCount(nodes.length, noun);
}

/** What holds elements that come, go or move together: their parent, or for cells, which do so by column, their table. */
function holderOf(node: TreeNode): TreeNode | null {
  if (!isCell(node)) return node.parent;
  for (let at = node.parent; at !== null; at = at.parent) if (at.element.tag === 'table') return at;
  return node.parent;
}

/** Nodes in one place with the same name. Without a parent, each is by itself. */
function groupSiblings(nodes: TreeNode[]): TreeNode[][] {
  const groups = new Map<TreeNode, Map<string, TreeNode[]>>();
  for (const node of nodes) {
    const holder = holderOf(node) ?? node;
    const byName = groups.get(holder) ?? new Map<string, TreeNode[]>();
    const name = isCell(node) ? 'cell' : nameElement(node);
    byName.set(name, [...(byName.get(name) ?? []), node]);
    groups.set(holder, byName);
  }
  return [...groups.values()].flatMap((byName) => [...byName.values()]);
}

/** A single element is named itself. For several, what holds them is named. */
function nameGroup(nodes: TreeNode[]): string {
  const [first] = nodes;
  if (first === undefined) return '';
  const holder = nodes.length > 1 ? holderOf(first) : null;
  return nameElement(holder ?? first);
}

const areasOf = (nodes: TreeNode[]): Region[] => nodes.map(({ box }) => box);

/** The topmost elements that only one of the maps has. */
export function findUnmatched(nodes: TreeNode[], matching: Matching): TreeNode[] {
  const { partners } = matching;
  return nodes.filter(
    (node) =>
      !partners.has(node) &&
      (node.parent === null || partners.has(node.parent)) &&
      !isPartOfDrawing(node, matching) &&
      drawnArea(node) !== null,
  );
}

/** Added in the current map, or removed from the baseline's. */
export function describeUnmatched(roots: TreeNode[], kind: 'ADDED' | 'REMOVED'): ElementChange[] {
  return groupSiblings(roots).map((nodes) => {
    const text = cutText(nodes.flatMap((node) => textsIn(node, 20)).join(' '));
    const verb = kind === 'ADDED' ? 'added' : 'removed';
    const summary =
      nodes.length > 1 ? `${countNodes(nodes)} ${verb}` : text === '' ? verb : `${verb}: ${quote(cut(text, 60))}`;
    const areas = nodes.flatMap((node) => drawnArea(node) ?? []);
    return {
      kind,
      element: nameGroup(nodes),
      about: nameGroup(nodes),
      summary,
      before: kind === 'REMOVED' ? text : null,
      after: kind === 'ADDED' ? text : null,
      what: JSON.stringify([nodes.length, text, nodes.map(digestContent)]),
      nodes,
      baseline: kind === 'REMOVED' ? areas : [],
      current: kind === 'ADDED' ? areas : [],
      moves: true,
      alters: 'all',
    };
  });
}

/**
 * Elements that only changed in size or position.
 * @param scale Pixels of the image for each CSS px.
 */
export function describeShifted(
  shifted: Map<TreeNode, Shift>,
  kind: 'RESIZED' | 'MOVED',
  matching: Matching,
  scale: number,
): ElementChange[] {
  return groupSiblings([...shifted.keys()]).flatMap((nodes): ElementChange[] => {
    const [first] = nodes;
    const before = first && matching.partners.get(first);
    const shift = first && shifted.get(first);
    if (first === undefined || before === undefined || shift === undefined) return [];
    const describeShift = kind === 'RESIZED' ? describeSize : describePlace;
    const one = describeShift(shift, scale);
    const all = nodes.flatMap((node) => shifted.get(node) ?? []).map((each) => describeShift(each, scale).what);
    const distinct = [...new Set(all)].toSorted();
    const verb = kind === 'RESIZED' ? 'resized' : 'moved';
    const isSize = kind === 'RESIZED' && nodes.length === 1;
    return [
      {
        kind,
        element: nameGroup(nodes),
        about: nameGroup(nodes),
        summary: nodes.length > 1 ? `${countNodes(nodes)} ${verb}` : one.summary,
        before: isSize ? formatSize(before.box, scale) : null,
        after: isSize ? formatSize(first.box, scale) : null,
        what: distinct.join(),
        nodes,
        baseline: areasOf(nodes.flatMap((node) => matching.partners.get(node) ?? [])),
        current: areasOf(nodes),
        moves: true,
        alters: kind === 'MOVED' ? 'nothing' : 'itself',
      },
    ];
  });
}
