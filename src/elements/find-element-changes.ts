import type { ElementChange } from './element-change.ts';
import type { TreeNode } from './element-tree.ts';
import { findFontChanges } from './font-changes.ts';
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
