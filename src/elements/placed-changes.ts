import type { ElementChange } from './element-change.ts';
import { cut, quote } from './element-change.ts';
import type { TreeNode } from './element-tree.ts';
import { drawnArea, textsIn, walk } from './element-tree.ts';
import type { Shift } from './layout-cascade.ts';
import { isShift } from './layout-cascade.ts';
import type { Matching } from './match-elements.ts';
import { nameElement } from './name-element.ts';
import type { Area } from './page-change.ts';
import { formatCount } from '../text/format.ts';

const NOUNS: Record<string, string> = {
  li: 'item',
  a: 'link',
  p: 'paragraph',
  tr: 'row',
  img: 'image',
  option: 'option',
};

function countNodes(nodes: TreeNode[]): string {
  const tags = new Set(nodes.map(({ element }) => element.tag));
  const noun = (tags.size === 1 ? NOUNS[nodes[0]?.element.tag ?? ''] : undefined) ?? 'element';
  return formatCount(nodes.length, noun);
}

/** Nodes of one parent whose names are the same; without a parent, each by itself. */
function groupSiblings(nodes: TreeNode[]): TreeNode[][] {
  const groups = new Map<TreeNode, Map<string, TreeNode[]>>();
  for (const node of nodes) {
    const byName = groups.get(node.parent ?? node) ?? new Map<string, TreeNode[]>();
    const name = nameElement(node);
    byName.set(name, [...(byName.get(name) ?? []), node]);
    groups.set(node.parent ?? node, byName);
  }
  return [...groups.values()].flatMap((byName) => [...byName.values()]);
}

/** One element is named itself; of several their parent. */
function nameGroup(nodes: TreeNode[]): string {
  const [first] = nodes;
  if (first === undefined) return '';
  return nodes.length > 1 && first.parent !== null ? nameElement(first.parent) : nameElement(first);
}

const areasOf = (nodes: TreeNode[]): Area[] => nodes.map(({ box }) => box);
const drawn = (nodes: TreeNode[]) => nodes.flatMap((node) => drawnArea(node) ?? []);

/** The roots of what only one of the maps has. */
export function findUnmatched(nodes: TreeNode[], { partners }: Matching): TreeNode[] {
  return nodes.filter(
    (node) => !partners.has(node) && (node.parent === null || partners.has(node.parent)) && drawnArea(node) !== null,
  );
}

/** Added in the current map, or removed from the baseline's. */
export function describeUnmatched(roots: TreeNode[], kind: 'ADDED' | 'REMOVED'): ElementChange[] {
  return groupSiblings(roots).map((nodes) => {
    const text = cut(nodes.flatMap((node) => textsIn(node, 20)).join(' '));
    const verb = kind === 'ADDED' ? 'added' : 'removed';
    const sources = nodes.flatMap((node) => [...walk(node)].flatMap(({ element }) => element.attributes.src ?? []));
    const summary =
      nodes.length > 1 ? `${countNodes(nodes)} ${verb}` : text === '' ? verb : `${verb}: ${quote(cut(text, 60))}`;
    const areas = drawn(nodes);
    return {
      kind,
      element: nameGroup(nodes),
      about: nameGroup(nodes),
      summary,
      before: kind === 'REMOVED' ? text : null,
      after: kind === 'ADDED' ? text : null,
      what: JSON.stringify([nodes.length, text, sources]),
      nodes,
      baseline: kind === 'REMOVED' ? areas : [],
      current: kind === 'ADDED' ? areas : [],
      moves: true,
      covers: true,
    };
  });
}

const round = (value: number, scale: number) => Math.round((2 * value) / scale) / 2;

function describeSize({ width, height }: Shift, scale: number): { summary: string; what: string } {
  const [wider, higher] = [round(width, scale), round(height, scale)];
  const parts = [
    ...(isShift(height) ? [`${Math.abs(higher)} px ${higher > 0 ? 'taller' : 'shorter'}`] : []),
    ...(isShift(width) ? [`${Math.abs(wider)} px ${wider > 0 ? 'wider' : 'narrower'}`] : []),
  ];
  // Of a picture. Widths often follow the viewport's, so they tell changes apart only where heights stay.
  return { summary: parts.join(', '), what: isShift(height) ? `height ${higher}` : `width ${wider}` };
}

function describePlace({ x, y }: Shift, scale: number): { summary: string; what: string } {
  const [right, down] = [round(x, scale), round(y, scale)];
  const parts = [
    ...(isShift(y) ? [`${Math.abs(down)} px ${down > 0 ? 'down' : 'up'}`] : []),
    ...(isShift(x) ? [`${Math.abs(right)} px to the ${right > 0 ? 'right' : 'left'}`] : []),
  ];
  return { summary: `moved ${parts.join(', ')}`, what: isShift(y) ? `y ${down}` : `x ${right}` };
}

const formatSize = ({ width, height }: Area, scale: number) => `${round(width, scale)} × ${round(height, scale)} px`;

/**
 * Elements of other size or in another place, and nothing else about them.
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
    const one = kind === 'RESIZED' ? describeSize(shift, scale) : describePlace(shift, scale);
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
        what: nodes.length > 1 && kind === 'MOVED' ? '' : one.what,
        nodes,
        baseline: areasOf(nodes.flatMap((node) => matching.partners.get(node) ?? [])),
        current: areasOf(nodes),
        moves: true,
        covers: false,
      },
    ];
  });
}
