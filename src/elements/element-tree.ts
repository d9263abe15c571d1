import type { ElementMap, MappedElement } from './element-map.ts';
import { shortenAddress } from './picture.ts';
import { regionOf, unite, type Region } from './region.ts';

export type TreeNode = {
  element: MappedElement;
  parent: TreeNode | null;
  children: TreeNode[];
  box: Region;
  /** Equal for equal elements with equal content, in all trees that share `Digests`. */
  digest: number;
};

/** Numbers contents in the order of their first occurrence. */
export type Digests = Map<string, number>;

function digestOf({ element, children }: TreeNode, digests: Digests): number {
  const { tag, id, classes, text, attributes } = element;
  const own = [tag, id, classes.join(' '), text, shortenAddress(attributes.src ?? '')];
  const content = JSON.stringify([...own, ...children.map((child) => child.digest)]);
  const known = digests.get(content);
  if (known !== undefined) return known;
  digests.set(content, digests.size);
  return digests.size - 1;
}

/** The elements in document order, followed by generated content. */
export function growTree({ elements, generated }: ElementMap, digests: Digests): TreeNode[] {
  const nodes: TreeNode[] = [];
  for (const element of [...elements, ...generated]) {
    const parent = nodes[element.parent] ?? null;
    const node: TreeNode = { element, parent, children: [], box: regionOf(element.box), digest: -1 };
    nodes.push(node);
    parent?.children.push(node);
  }
  for (const node of nodes.toReversed()) node.digest = digestOf(node, digests);
  return nodes;
}

export function* walk(node: TreeNode): Generator<TreeNode> {
  yield node;
  for (const child of node.children) yield* walk(child);
}

export function isWithin(node: TreeNode, ancestor: TreeNode): boolean {
  for (let at: TreeNode | null = node; at !== null; at = at.parent) if (at === ancestor) return true;
  return false;
}

/** What the element and everything in it draw; null for nothing. */
export function drawnArea(node: TreeNode): Region | null {
  return unite([...walk(node)].map(({ box }) => box));
}

/** Generated content of an element, such as `::before`. */
export const isGenerated = ({ element }: TreeNode): boolean => element.tag.startsWith('::');

export const isCell = ({ element }: TreeNode): boolean => element.tag === 'td' || element.tag === 'th';

/** The texts of the element and its content, in order, at most `limit` of them, without generated content. */
export function textsIn(node: TreeNode, limit: number): string[] {
  const texts: string[] = [];
  for (const part of walk(node)) {
    if (texts.length >= limit) break;
    const { text } = part.element;
    if (text !== '' && (part === node || !isGenerated(part))) texts.push(text);
  }
  return texts;
}
