import { selectAll } from 'css-select';
import type { Options } from 'css-select';
import type { ElementMap, MappedElement } from './element-map.ts';

type Node = { element: MappedElement; parent: Node | null; siblings: Node[]; children: Node[] };

function buildTree({ elements }: ElementMap): Node[] {
  const roots: Node[] = [];
  const nodes: Node[] = [];
  for (const element of elements) {
    const parent = nodes[element.parent] ?? null;
    const siblings = parent === null ? roots : parent.children;
    const node = { element, parent, siblings, children: [] };
    nodes.push(node);
    siblings.push(node);
  }
  return roots;
}

function attribute({ element }: Node, name: string): string | undefined {
  if (name === 'id') return element.id === '' ? undefined : element.id;
  if (name === 'class') return element.classes.length === 0 ? undefined : element.classes.join(' ');
  return element.attributes[name];
}

const OPTIONS: Options<Node, Node> = {
  adapter: {
    isTag: (_node): _node is Node => true,
    getAttributeValue: attribute,
    hasAttrib: (node, name) => attribute(node, name) !== undefined,
    getChildren: ({ children }) => children,
    getName: ({ element }) => element.tag,
    getParent: ({ parent }) => parent,
    getSiblings: ({ siblings }) => siblings,
    getText: ({ element }) => element.text,
    removeSubsets: (nodes) => nodes.filter((node) => !hasAncestor(node, new Set(nodes))),
  },
  // Texts are no nodes of the map.
  pseudos: { empty: ({ element, children }) => children.length === 0 && element.text === '' },
};

function hasAncestor(node: Node, others: Set<Node>): boolean {
  for (let { parent } = node; parent !== null; parent = parent.parent) if (others.has(parent)) return true;
  return false;
}

/**
 * The elements that a CSS selector matches, in document order. What is in a shadow root or a frame counts as inside its
 * host. Attributes that maps do not keep match nothing.
 * @throws Error when the selector is none; see `checkSelector`.
 */
export function selectElements(map: ElementMap, selector: string): MappedElement[] {
  return selectAll(selector, buildTree(map), OPTIONS).map(({ element }) => element);
}
