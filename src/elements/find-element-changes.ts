import type { ElementChange } from './element-change.ts';
import type { TreeNode } from './element-tree.ts';
import {
  buildCascade,
  findMoved,
  findResized,
  isPartOfDrawing,
  isShift,
  shiftInParent,
  type Shift,
} from './layout-cascade.ts';
import type { Matching } from './match-elements.ts';
import { findOwnChanges } from './own-changes.ts';
import { describeShifted, describeUnmatched, findUnmatched } from './placed-changes.ts';

/** Files that replaced others: matched by their address, or, if build tools change that, all together. */
function replacedFiles({ baseline, current }: Matching['fonts']): { name: string; what: string[] }[] {
  const sameAddress = Object.entries(current).flatMap(([name, hash]) => {
    const before = baseline[name];
    return before === undefined || before === hash ? [] : [{ name, what: [before, hash] }];
  });
  const only = (fonts: Record<string, string>, others: Record<string, string>) => {
    const known = new Set(Object.values(others));
    return Object.entries(fonts).filter(([name, hash]) => others[name] === undefined && !known.has(hash));
  };
  const [gone, come] = [only(baseline, current), only(current, baseline)];
  if (gone.length === 0 || come.length === 0) return sameAddress;
  const hashes = [...gone, ...come].map(([, hash]) => hash);
  return [...sameAddress, { name: come.map(([name]) => name).join(', '), what: hashes.toSorted() }];
}

/** Font files whose bytes changed. Letters and icons may look different anywhere. */
function findFontChanges({ fonts, current, baseline }: Matching): ElementChange[] {
  const [root, before] = [current[0], baseline[0]];
  if (root === undefined || before === undefined) return [];
  return replacedFiles(fonts).map(({ name, what }) => ({
    kind: 'RESTYLED',
    element: root.element.tag,
    summary: `font file ${name} changed`,
    before: null,
    after: null,
    about: 'font',
    what: JSON.stringify(what),
    nodes: [root],
    baseline: [before.box],
    current: [root.box],
    moves: true,
    alters: 'all',
  }));
}

/** Elements that have another position in the document, and are drawn elsewhere. */
function findDisplaced(matching: Matching): Map<TreeNode, Shift> {
  const displaced = [...matching.displaced].flatMap((node): [TreeNode, Shift][] => {
    const shift = shiftInParent(node, matching);
    const isElsewhere = shift !== null && (isShift(shift.x) || isShift(shift.y));
    return isElsewhere && !isPartOfDrawing(node, matching) ? [[node, shift]] : [];
  });
  return new Map(displaced);
}

/** Everything that changed by itself between two maps, without consequences such as elements that moved down. */
export function findElementChanges(matching: Matching, scale: number): ElementChange[] {
  const cascade = buildCascade(matching);
  const own = findOwnChanges(matching, scale);
  for (const { moves, kind, nodes } of own) {
    if (moves) nodes.forEach(cascade.add);
    else if (kind === 'TEXT') nodes.forEach(cascade.addContent);
  }
  const added = findUnmatched(matching.current, matching);
  for (const node of added) cascade.add(node);
  const removed = findUnmatched(matching.baseline, matching);
  for (const { parent, box } of removed) {
    const place = parent === null ? undefined : matching.partners.get(parent);
    if (place !== undefined) cascade.addRemoved(place, box);
  }
  const displaced = findDisplaced(matching);
  for (const node of displaced.keys()) cascade.add(node);
  const resized = findResized(matching, cascade);
  const moved = findMoved(matching, cascade);
  return [
    ...own,
    ...findFontChanges(matching),
    ...describeUnmatched(added, 'ADDED'),
    ...describeUnmatched(removed, 'REMOVED'),
    ...describeShifted(resized, 'RESIZED', matching, scale),
    ...describeShifted(new Map([...displaced, ...moved]), 'MOVED', matching, scale),
  ];
}
