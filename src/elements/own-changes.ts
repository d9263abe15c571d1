import type { ElementChange } from './element-change.ts';
import { cut, excerpt, quote } from './element-change.ts';
import type { TreeNode } from './element-tree.ts';
import { isShift, shiftOf } from './layout-cascade.ts';
import type { Matching } from './match-elements.ts';
import { nameElement } from './name-element.ts';
import { isEmpty } from './page-change.ts';
import type { Pair } from './style-changes.ts';
import { findStyleChanges, formatStyle, formatStyleName, isLayoutOnly, isPaintOnly } from './style-changes.ts';

/** An image's address without the host that it was captured from, which may be a preview's. */
function sourceOf({ tag, attributes }: TreeNode['element']): string {
  const isMedia = ['img', 'video', 'iframe', 'embed', 'input', 'source'].includes(tag);
  return isMedia ? (attributes.src ?? '').replace(/^(?:https?:)?\/\/[^/]*/i, '') : '';
}

type Both = { before: TreeNode; after: TreeNode };

function changeOf(
  { before, after }: Both,
  says: Pick<ElementChange, 'kind' | 'summary' | 'before' | 'after'>,
  what: string,
) {
  return {
    ...says,
    element: nameElement(after),
    // The same words or styles of two elements of a kind changed for one reason, wherever they are.
    about: after.element.tag,
    what,
    nodes: [after],
    baseline: [before.box],
    current: [after.box],
    covers: false,
  };
}

function findText(both: Both): Omit<ElementChange, 'moves'>[] {
  const [before, after] = [both.before.element.text, both.after.element.text];
  if (before === after) return [];
  const [from, to] = excerpt(before, after);
  const summary =
    before === ''
      ? `text ${quote(to)} added`
      : after === ''
        ? `text ${quote(from)} removed`
        : `text ${quote(from)} → ${quote(to)}`;
  return [
    changeOf(both, { kind: 'TEXT', summary, before: cut(before), after: cut(after) }, JSON.stringify([before, after])),
  ];
}

function findImage(both: Both): Omit<ElementChange, 'moves'>[] {
  const [before, after] = [sourceOf(both.before.element), sourceOf(both.after.element)];
  if (before === after) return [];
  const says = { kind: 'IMAGE' as const, summary: 'image replaced', before: cut(before), after: cut(after) };
  return [changeOf(both, says, JSON.stringify([before, after]))];
}

function ancestorsOf({ parent }: TreeNode, { partners }: Matching): Pair[] {
  const ancestors: Pair[] = [];
  for (let at = parent; at !== null; at = at.parent) {
    const before = partners.get(at);
    if (before !== undefined) ancestors.push({ before: before.element, after: at.element });
  }
  return ancestors;
}

function findRestyle(both: Both, matching: Matching): { change: Omit<ElementChange, 'moves'>; moves: boolean }[] {
  const pair = { before: both.before.element, after: both.after.element };
  if (pair.before.styles === pair.after.styles) return [];
  const changes = findStyleChanges(pair, ancestorsOf(both.after, matching));
  if (changes.length === 0) return [];
  const formatted = changes.map(({ name, before, after }) => ({
    name: formatStyleName(name),
    before: formatStyle(before),
    after: formatStyle(after),
  }));
  const list = (side: 'before' | 'after') => formatted.map((each) => `${each.name}: ${each[side]}`).join('; ');
  const summary = formatted
    .map(({ name, before, after }) => `${name} ${cut(before, 80)} → ${cut(after, 80)}`)
    .join(', ');
  const says = { kind: 'RESTYLED' as const, summary, before: cut(list('before')), after: cut(list('after')) };
  const change = { ...changeOf(both, says, JSON.stringify(formatted)), covers: !isLayoutOnly(changes) };
  return [{ change, moves: !isPaintOnly(changes) }];
}

/** What changed about elements themselves: words, image sources and styles. */
export function findOwnChanges(matching: Matching): ElementChange[] {
  return matching.current.flatMap((after): ElementChange[] => {
    const before = matching.partners.get(after);
    if (before === undefined || (isEmpty(before.box) && isEmpty(after.box))) return [];
    const both = { before, after };
    const shift = shiftOf(after, matching);
    const moves = shift === null || isShift(shift.width) || isShift(shift.height);
    return [
      ...[...findText(both), ...findImage(both)].map((change) => ({ ...change, moves })),
      ...findRestyle(both, matching).map(({ change, moves: pushes }) => ({ ...change, moves: moves || pushes })),
    ];
  });
}
