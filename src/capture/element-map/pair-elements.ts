import type { SnapshotNode, SnapshotTree } from './dom-snapshot.ts';
import type { PageReading } from './read-in-page.ts';

export type ElementNode = SnapshotNode & { kind: 'element' };

/** What was read in the page about one element. */
export type ReadElement = {
  /** Values of SET_NAMES. Equal ones are one array. */
  set: readonly string[];
  /** A hash; '' if it draws nothing itself, null if unknown. */
  drawn: string | null;
};

const isGenerated = ({ tag }: ElementNode) => tag.startsWith('::');

/** The elements of each document in document order, by the node that they are in. */
function indexChildren(tree: SnapshotTree): Map<number, [number, ElementNode][]> {
  const children = new Map<number, [number, ElementNode][]>();
  for (const [index, node] of tree.nodes.entries()) {
    if (node?.kind !== 'element' || isGenerated(node)) continue;
    const siblings = children.get(node.parent) ?? [];
    siblings.push([index, node]);
    children.set(node.parent, siblings);
  }
  return children;
}

/**
 * Matches the elements of the snapshot with those that were read in the page. If the children of an element differ, for
 * example where no script can reach them, its content is left out.
 */
export function pairElements(trees: SnapshotTree[], reading: PageReading): Map<SnapshotNode, ReadElement> {
  const inPage = new Map<number, number[]>();
  for (const [index, parent] of reading.parents.entries()) {
    const siblings = inPage.get(parent) ?? [];
    siblings.push(index);
    inPage.set(parent, siblings);
  }
  const indexes = trees.map(indexChildren);
  const pairs = new Map<SnapshotNode, ReadElement>();
  const open = [{ document: 0, node: 0, index: -1 }];
  for (const { document, node, index } of open) {
    const children = indexes[document]?.get(node) ?? [];
    const others = inPage.get(index) ?? [];
    const isSame = ([, child]: [number, ElementNode], at: number) => child.tag === reading.tags[others[at] ?? -1];
    if (children.length !== others.length || !children.every(isSame)) continue;
    for (const [at, [place, child]] of children.entries()) {
      const other = others[at] ?? -1;
      pairs.set(child, {
        set: reading.sets[reading.places[other] ?? -1] ?? [],
        drawn: reading.drawn[other] ?? null,
      });
      const inner = child.frame === null ? null : { document: child.frame, node: 0, index: other };
      open.push(inner ?? { document, node: place, index: other });
    }
  }
  return pairs;
}
