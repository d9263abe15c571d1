import { alignBest, alignEqual, gapsBetween, type Aligned } from './align-sequences.ts';
import type { ElementMap } from './element-map.ts';
import { drawnArea, growTree, textsIn, walk, type Digests, type TreeNode } from './element-tree.ts';
import { stableClasses, testIdOf } from './name-element.ts';
import { isEmpty } from './region.ts';

/** The elements of two maps of one page, and which of them are the same. */
export type Matching = {
  baseline: TreeNode[];
  current: TreeNode[];
  /** Of both sides. */
  partners: Map<TreeNode, TreeNode>;
  /** Elements of the current map that had another position in the document. */
  displaced: Set<TreeNode>;
  fonts: { baseline: ElementMap['fonts']; current: ElementMap['fonts'] };
};

/** This much text distinguishes one paragraph or card from the next. */
const TEXTS_COMPARED = 12;
const WORDS_COMPARED = 60;

/** Longer lists are aligned by tag and classes alone. */
const MAX_COMPARED = 20_000;

type Affinity = (one: TreeNode, other: TreeNode) => number;

/** Common ones among all members, 0 to 1. */
function share<T>(one: Set<T>, other: Set<T>): number {
  if (one.size + other.size === 0) return 0;
  const common = [...one].filter((member) => other.has(member)).length;
  return (2 * common) / (one.size + other.size);
}

/** How likely both are the same element. 0: they are not. */
function measureAffinity(): Affinity {
  const words = new Map<TreeNode, Set<string>>();
  const wordsIn = (node: TreeNode) => {
    const known =
      words.get(node) ??
      new Set(
        textsIn(node, TEXTS_COMPARED)
          .flatMap((text) => text.split(' '))
          .slice(0, WORDS_COMPARED),
      );
    words.set(node, known);
    return known;
  };
  return (one, other) => {
    const [a, b] = [one.element, other.element];
    const classes = share(new Set(stableClasses(a)), new Set(stableClasses(b)));
    const sameId = (a.id !== '' && a.id === b.id) || (testIdOf(a) !== null && testIdOf(a) === testIdOf(b));
    if (a.tag !== b.tag && !sameId && classes === 0) return 0;
    const text = share(wordsIn(one), wordsIn(other));
    const isOfOtherClass = a.classes.length > 0 && b.classes.length > 0 && classes === 0;
    if (isOfOtherClass && !sameId && text < 0.3) return 0;
    const sameName = a.role === b.role && a.name !== '' && a.name === b.name;
    return 1 + (sameId ? 4 : 0) + 2 * classes + 3 * text + (sameName ? 1 : 0);
  };
}

/** Matches by a name that occurs once in each map. */
function matchUnique(
  baseline: TreeNode[],
  current: TreeNode[],
  nameOf: (node: TreeNode) => string | null,
): Aligned<TreeNode> {
  const index = (nodes: TreeNode[]) => {
    const named = new Map<string, TreeNode | null>();
    for (const node of nodes) {
      const name = nameOf(node);
      if (name !== null) named.set(name, named.has(name) ? null : node);
    }
    return named;
  };
  const others = index(current);
  return [...index(baseline)].flatMap(([name, node]): Aligned<TreeNode> => {
    const other = others.get(name) ?? null;
    return node === null || other === null ? [] : [[node, other]];
  });
}

const idOf = ({ element }: TreeNode) => (element.id === '' ? null : `${element.tag}#${element.id}`);
const uniqueTestId = ({ element }: TreeNode) => testIdOf(element);

const says = ({ element }: TreeNode): boolean =>
  element.text !== '' || element.name !== '' || element.attributes.src !== undefined;

/** Null if neither the element nor anything in it says or shows something. */
function signature(node: TreeNode): string | null {
  for (const part of walk(node)) if (says(part)) return `${node.element.tag} ${node.digest}`;
  return null;
}

const kindOf = ({ element }: TreeNode) => [element.tag, ...stableClasses(element)].join('.');

/** Matches in order: elements with exactly equal content first, then those in between by similarity. */
function alignChildren(one: TreeNode[], other: TreeNode[], affinity: Affinity): Aligned<TreeNode> {
  const equal = alignEqual(one, other, ({ digest }) => digest);
  const alike = gapsBetween(one, other, equal).flatMap((gap) =>
    gap.one.length * gap.other.length > MAX_COMPARED
      ? alignEqual(gap.one, gap.other, kindOf)
      : alignBest(gap.one, gap.other, affinity),
  );
  return [...equal, ...alike];
}

/**
 * Matches by what is stable: id, test id, then the position in the document, similarity, and finally equal content
 * elsewhere.
 */
export function matchElements(before: ElementMap, after: ElementMap): Matching {
  const digests: Digests = new Map();
  const [baseline, current] = [growTree(before, digests), growTree(after, digests)];
  const partners = new Map<TreeNode, TreeNode>();
  const affinity = measureAffinity();
  const open: Aligned<TreeNode> = [];
  const isFree = (node: TreeNode) => !partners.has(node);
  const link = (pairs: Aligned<TreeNode>): Aligned<TreeNode> => {
    const free = pairs.filter(([one, other]) => isFree(one) && isFree(other));
    for (const [one, other] of free) partners.set(one, other).set(other, one);
    open.push(...free);
    return free;
  };
  const descend = () => {
    for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
      const [one, other] = pair;
      link(alignChildren(one.children.filter(isFree), other.children.filter(isFree), affinity));
    }
  };
  for (const nameOf of [idOf, uniqueTestId]) link(matchUnique(baseline, current, nameOf));
  const isRoot = (node: TreeNode) => node.parent === null && isFree(node);
  link(alignChildren(baseline.filter(isRoot), current.filter(isRoot), affinity));
  descend();
  /** An element that is shown or hidden comes or goes like one that is new or gone, with all that is in it. */
  const unlinkHidden = () => {
    for (const node of baseline) {
      const other = partners.get(node);
      if (other === undefined || isEmpty(node.box) === isEmpty(other.box)) continue;
      if ((drawnArea(node) === null) === (drawnArea(other) === null)) continue;
      partners.delete(node);
      partners.delete(other);
    }
  };
  const moved = link(matchUnique(baseline.filter(isFree), current.filter(isFree), signature));
  descend();
  unlinkHidden();
  const others = new Set<TreeNode | null>(moved.map(([, other]) => other));
  const displaced = new Set(moved.map(([, other]) => other).filter(({ parent }) => !others.has(parent)));
  return { baseline, current, partners, displaced, fonts: { baseline: before.fonts, current: after.fonts } };
}
