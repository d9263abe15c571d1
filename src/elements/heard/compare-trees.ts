import { alignBest, alignEqual, gapsBetween } from '../align-sequences.ts';
import { hash } from '../change-picture.ts';
import type { HeardNode } from './heard-tree.ts';

/** Above this many comparisons, only parts with the same role and name are aligned. */
const MAX_CELLS = 250_000;

/** What only one side has, or the two have differently. */
export type TreeDifference =
  | { kind: 'added' | 'removed' | 'moved'; node: HeardNode; hash: string }
  /** `alone`: put around something that was there before, or taken away from around it. */
  | { kind: 'wrapped' | 'unwrapped'; node: HeardNode }
  | { kind: 'changed'; from: HeardNode; to: HeardNode };

type Hashes = Map<HeardNode, string>;

/** From the leaves up: a part is the same if everything in it is the same. */
function hashTree(root: HeardNode, hashes: Hashes): void {
  const order = [root];
  for (const node of order) order.push(...node.children);
  for (const node of order.toReversed()) {
    const { role, name, states, isLeftOut } = node;
    const inner = node.children.map((child) => hashes.get(child));
    hashes.set(node, hash(isLeftOut ? [role] : [role, name, states, inner]));
  }
}

const hashOf = (hashes: Hashes, node: HeardNode) => hashes.get(node) ?? '';

/** How many of the first parts inside are looked at to see how alike two parts are. */
const LOOKED_AT = 8;

function shareContent(hashes: Hashes, one: HeardNode, other: HeardNode): boolean {
  const inner = new Set(one.children.slice(0, LOOKED_AT).map((child) => hashOf(hashes, child)));
  return other.children.slice(0, LOOKED_AT).some((child) => inner.has(hashOf(hashes, child)));
}

/** How likely two parts that differ are the same part. 0: they are not. */
function likeness(hashes: Hashes, one: HeardNode, other: HeardNode): number {
  if (one.isLeftOut && other.isLeftOut) return 16;
  const isNamed = one.name !== '' && one.name === other.name;
  const shares = shareContent(hashes, one, other);
  if (one.role !== other.role) return (isNamed ? 2 : 0) + (shares && one.role !== 'text' ? 1 : 0);
  return 4 + (isNamed ? 8 : 0) + (shares ? 6 : 0);
}

/**
 * Pairs up parts in order, by how likely they are the same. Parts with different roles that only share content are no
 * pair: one may wrap the other.
 */
function pairUp(hashes: Hashes, one: HeardNode[], other: HeardNode[]): [HeardNode, HeardNode][] {
  if (one.length * other.length > MAX_CELLS) return alignEqual(one, other, ({ role, name }) => `${role} ${name}`);
  return alignBest(one, other, (node, partner) => {
    const alike = likeness(hashes, node, partner);
    return alike === 1 ? 0 : alike;
  });
}

/** Differences of one pair of trees, whose parts are compared level by level. */
type Search = { hashes: Hashes; found: TreeDifference[] };

type Sides = { one: HeardNode[]; other: HeardNode[] };

/** Finds a node of `outer` at least half of whose children are in `inner`, and those of `inner`. */
function findAround(
  { hashes }: Search,
  outer: HeardNode[],
  inner: HeardNode[],
): { node: HeardNode; held: HeardNode[] } | null {
  for (const node of outer) {
    if (node.isLeftOut || node.children.length === 0) continue;
    const content = new Set(node.children.map((child) => hashOf(hashes, child)));
    const held = inner.filter((each) => content.has(hashOf(hashes, each)));
    if (held.length * 2 >= node.children.length) return { node, held };
  }
  return null;
}

/** Parts without a partner: a wrapper that was added or removed, or else gone or new. */
function settleRest(search: Search, { one, other }: Sides): Sides[] {
  const wrapper = findAround(search, other, one);
  if (wrapper !== null) {
    search.found.push({ kind: 'wrapped', node: wrapper.node });
    const rest = {
      one: one.filter((each) => !wrapper.held.includes(each)),
      other: other.filter((each) => each !== wrapper.node),
    };
    return [{ one: wrapper.held, other: wrapper.node.children }, ...settleRest(search, rest)];
  }
  const gone = findAround(search, one, other);
  if (gone !== null) {
    search.found.push({ kind: 'unwrapped', node: gone.node });
    const rest = {
      one: one.filter((each) => each !== gone.node),
      other: other.filter((each) => !gone.held.includes(each)),
    };
    return [{ one: gone.node.children, other: gone.held }, ...settleRest(search, rest)];
  }
  const end = (kind: 'added' | 'removed', nodes: HeardNode[]) => {
    for (const node of nodes) {
      if (!node.isLeftOut) search.found.push({ kind, node, hash: hashOf(search.hashes, node) });
    }
  };
  end('removed', one);
  end('added', other);
  return [];
}

/** @returns what to compare next. */
function compareLists(search: Search, { one, other }: Sides): Sides[] {
  const same = alignEqual(one, other, (node) => hashOf(search.hashes, node));
  const likely = gapsBetween(one, other, same).flatMap((gap) => pairUp(search.hashes, gap.one, gap.other));
  const known = new Set([...same, ...likely].flat());
  const next: Sides[] = [];
  for (const [from, to] of likely) {
    if (from.isLeftOut || to.isLeftOut) continue;
    search.found.push({ kind: 'changed', from, to });
    next.push({ one: from.children, other: to.children });
  }
  const rest = {
    one: one.filter((node) => !known.has(node)),
    other: other.filter((node) => !known.has(node)),
  };
  return [...next, ...settleRest(search, rest)];
}

/** A part that is gone at one place and new at another has moved. */
function joinMoves(found: TreeDifference[]): TreeDifference[] {
  const gone = new Map<string, number>();
  for (const each of found) if (each.kind === 'removed') gone.set(each.hash, (gone.get(each.hash) ?? 0) + 1);
  const moved = new Map<string, number>();
  const joined = found.map((each): TreeDifference => {
    const left = each.kind === 'added' ? (gone.get(each.hash) ?? 0) : 0;
    if (each.kind !== 'added' || left === 0) return each;
    gone.set(each.hash, left - 1);
    moved.set(each.hash, (moved.get(each.hash) ?? 0) + 1);
    return { ...each, kind: 'moved' };
  });
  return joined.filter((each) => {
    const left = each.kind === 'removed' ? (moved.get(each.hash) ?? 0) : 0;
    if (each.kind !== 'removed' || left === 0) return true;
    moved.set(each.hash, left - 1);
    return false;
  });
}

/** Everything that differs, aligned by structure, so that what was inserted is one difference. */
export function compareTrees(before: HeardNode, after: HeardNode): TreeDifference[] {
  const search: Search = { hashes: new Map(), found: [] };
  hashTree(before, search.hashes);
  hashTree(after, search.hashes);
  if (hashOf(search.hashes, before) === hashOf(search.hashes, after)) return [];
  search.found.push({ kind: 'changed', from: before, to: after });
  const waiting: Sides[] = [{ one: before.children, other: after.children }];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    waiting.unshift(...compareLists(search, next));
  }
  return joinMoves(search.found);
}
