import { hash } from '../change-picture.ts';
import { compareTrees, type TreeDifference } from './compare-trees.ts';
import type { Heard, HeardNode } from './heard-tree.ts';
import { describeState, nameHeard, nameRole, quoteHeard } from './heard-words.ts';

/** What happened to a part of the page that assistive technology is told about. */
export type HeardDifference = {
  /** Identifies this difference on every page. 32 hexadecimal digits. */
  key: string;
  /** `button “Search”`, `text “3 results”`. */
  part: string;
  /** What happened to it, in words that follow its name: `lost its name`. */
  what: string;
  before: string | null;
  after: string | null;
  /** The role and name of the part in each tree, by which it is found on the page. Null where it is not there. */
  was: NamedPart | null;
  is: NamedPart | null;
};

export type NamedPart = { role: string; name: string };

const named = ({ role, name }: HeardNode) => ({ role, name });

function describeRename({ role, name: before }: HeardNode, { name: after }: HeardNode): string {
  if (role === 'text') return `now says ${quoteHeard(after)}`;
  if (after === '') return 'lost its name';
  return before === '' ? `now has the name ${quoteHeard(after)}` : `is now named ${quoteHeard(after)}`;
}

/** What differs about a part itself, by property. */
function describeChanged(from: HeardNode, to: HeardNode): HeardDifference[] {
  const about = (property: string, what: string, before: string | null, after: string | null): HeardDifference => ({
    key: hash([property, from.role, from.name, before, after]),
    part: nameHeard(from),
    what,
    before,
    after,
    was: named(from),
    is: named(to),
  });
  const states = [...new Set([...Object.keys(from.states), ...Object.keys(to.states)])].toSorted();
  return [
    ...(from.role === to.role ? [] : [about('role', `is now a ${nameRole(to.role)}`, from.role, to.role)]),
    ...(from.name === to.name ? [] : [about('name', describeRename(from, to), from.name, to.name)]),
    ...states
      .filter((state) => from.states[state] !== to.states[state])
      .map((state) => {
        const [before, after] = [from.states[state], to.states[state]];
        return about(`state ${state}`, describeState(state, before, after), before ?? null, after ?? null);
      }),
  ];
}

const WHOLE = {
  added: 'was added',
  removed: 'was removed',
  moved: 'was moved',
  wrapped: 'was put around what was there',
  unwrapped: 'was taken away from around its content',
} as const;

function describe(difference: TreeDifference): HeardDifference[] {
  if (difference.kind === 'changed') return describeChanged(difference.from, difference.to);
  const { kind, node } = difference;
  const wasThere = kind === 'removed' || kind === 'moved' || kind === 'unwrapped';
  const isThere = kind === 'added' || kind === 'moved' || kind === 'wrapped';
  return [
    {
      key: hash([kind, node.role, node.name, 'hash' in difference ? difference.hash : node.states]),
      part: nameHeard(node),
      what: WHOLE[kind],
      before: wasThere ? nameHeard(node) : null,
      after: isThere ? nameHeard(node) : null,
      was: wasThere ? named(node) : null,
      is: isThere ? named(node) : null,
    },
  ];
}

/** For what came or went: the same whatever is in it, which may differ from load to load. */
const bareKey = ({ key, what, was, is }: HeardDifference) =>
  was === null || is === null ? hash([what, was, is]) : key;

/**
 * What differs from what assistive technology was told before: exactly, and each difference once for all places of the
 * page that have it. What differs from load to load of one of the sides does not count.
 */
export function findHeardDifferences(before: Heard, after: Heard): HeardDifference[] {
  const pairs = before.loads.flatMap((one) => after.loads.map((other) => compareTrees(one, other).flatMap(describe)));
  const [first = [], ...others] = pairs;
  const known = others.map((found) => new Set(found.flatMap((each) => [each.key, bareKey(each)])));
  const shared = first.flatMap((each): HeardDifference[] => {
    const key = [each.key, bareKey(each)].find((one) => known.every((keys) => keys.has(one)));
    return key === undefined ? [] : [{ ...each, key }];
  });
  const distinct = new Map(shared.toReversed().map((each) => [each.key, each]));
  return [...distinct.values()].toReversed();
}
