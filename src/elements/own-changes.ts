import { cutTexts, excerpt, quote, type ElementChange } from './element-change.ts';
import { isPlace, isSize } from './element-styles.ts';
import { isGenerated, type TreeNode } from './element-tree.ts';
import { isShift, PICTURES, shiftInParent, shiftOf } from './layout-cascade.ts';
import type { Matching } from './match-elements.ts';
import { nameElement } from './name-element.ts';
import { FAILED, PARTS, PIXELS, shortenAddress } from './picture.ts';
import { describePlace, describeSize, formatSize } from './placed-changes.ts';
import { isEmpty } from './region.ts';
import {
  findStyleChanges,
  formatStyle,
  formatStyleName,
  isLayoutOnly,
  isPaintOnly,
  isPlacingOnly,
  keyOfStyle,
  type Pair,
  type StyleChange,
} from './style-changes.ts';

const SOURCES = new Set(['img', 'video', 'iframe', 'embed', 'input', 'source']);

/** An image's address without the host, which may be a preview's. */
const sourceOf = ({ tag, attributes }: TreeNode['element']): string =>
  SOURCES.has(tag) ? shortenAddress(attributes.src ?? '') : '';

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
    alters: 'itself' as const,
  };
}

const NUMBER = /\d+/g;

/** By how much the numbers in a text grew. Null if not all that changed did, or if something else changed. */
function countedBy(before: string, after: string): number | null {
  const [from, to] = [before, after].map((text) => (text.match(NUMBER) ?? []).map(Number));
  const grown = new Set(from?.map((number, at) => (to?.[at] ?? number) - number).filter((by) => by !== 0));
  const [by] = grown;
  return by === undefined || grown.size > 1 || before.replaceAll(NUMBER, '#') !== after.replaceAll(NUMBER, '#')
    ? null
    : by;
}

const markerStyle = ({ parent }: TreeNode) => parent?.element.styles['list-style-type'];

/** Words that a style sheet adds, such as numbers, which change where an item comes or goes: together one change. */
function findGeneratedText(both: Both): Omit<ElementChange, 'moves'>[] {
  const [before, after] = [both.before.element.text, both.after.element.text];
  if (both.after.element.tag === '::marker' && markerStyle(both.before) !== markerStyle(both.after)) return [];
  const by = countedBy(before, after);
  if (by === null) return findOwnText(both);
  const summary = `numbers ${by > 0 ? 'higher' : 'lower'} by ${Math.abs(by)}`;
  const what = JSON.stringify({ by, text: after.replaceAll(NUMBER, '#') });
  return [changeOf(both, { kind: 'TEXT', summary, before, after }, what)];
}

function findText(both: Both): Omit<ElementChange, 'moves'>[] {
  if (both.before.element.text === both.after.element.text) return [];
  return isGenerated(both.after) ? findGeneratedText(both) : findOwnText(both);
}

function findOwnText(both: Both): Omit<ElementChange, 'moves'>[] {
  const [before, after] = [both.before.element.text, both.after.element.text];
  const [from, to] = excerpt(before, after);
  const summary =
    before === ''
      ? `text ${quote(to)} added`
      : after === ''
        ? `text ${quote(from)} removed`
        : `text ${quote(from)} → ${quote(to)}`;
  const [was, is] = cutTexts(before, after);
  return [changeOf(both, { kind: 'TEXT', summary, before: was, after: is }, JSON.stringify([before, after]))];
}

/** Pixels of the screenshot can be compared only if both are aligned to the same pixels. */
function isComparable(picture: string, { before, after }: Both): boolean {
  if (!picture.startsWith(PIXELS)) return true;
  return (['x', 'y', 'width', 'height'] as const).every((name) => {
    const shift = after.box[name] - before.box[name];
    return name === 'width' || name === 'height' ? shift === 0 : Number.isInteger(shift);
  });
}

const countParts = (picture: string) => picture.split(PARTS)[1]?.split(',').length ?? 0;

/** Elements that came or went are changes themselves. */
function compareParts(was: string, is: string): [string, string] {
  if (countParts(was) === countParts(is)) return [was, is];
  return [was.split(PARTS)[0]?.trimEnd() ?? '', is.split(PARTS)[0]?.trimEnd() ?? ''];
}

/** What the two draw, if it differs. Null if it is the same, or unknown. */
function differingPictures(both: Both): [string, string] | null {
  const [before, after] = [both.before.element, both.after.element];
  const isKnown = before.picture !== null && after.picture !== null;
  const [was, is] = isKnown
    ? compareParts(before.picture ?? '', after.picture ?? '')
    : [sourceOf(before), sourceOf(after)];
  if (was === is || was === null || is === null) return null;
  return [was, is].every((picture) => isComparable(picture, both)) ? [was, is] : null;
}

const FIELDS = new Set(['input', 'textarea', 'progress', 'meter']);

function findPicture(both: Both): Omit<ElementChange, 'moves'>[] {
  const differing = differingPictures(both);
  if (differing === null) return [];
  const [before, after] = [both.before.element, both.after.element];
  const what = JSON.stringify(differing);
  const [from, to] = [sourceOf(before), sourceOf(after)];
  const [shortFrom, shortTo] = cutTexts(from, to);
  const sources = from === '' && to === '' ? { before: null, after: null } : { before: shortFrom, after: shortTo };
  if (after.tag === 'img' || (from !== to && SOURCES.has(after.tag))) {
    const isGone = (differing[1] ?? '').startsWith(FAILED);
    const summary = isGone ? 'image no longer loads' : from === to ? 'image content changed' : 'image replaced';
    return [changeOf(both, { kind: 'IMAGE', summary, ...sources }, what)];
  }
  const nothing = { before: null, after: null };
  if (PICTURES.has(after.tag)) {
    return [changeOf(both, { kind: 'IMAGE', summary: 'image content changed', ...nothing }, what)];
  }
  // Other words are in other places anyway.
  if (before.text !== after.text) return [];
  if (FIELDS.has(after.tag)) return [changeOf(both, { kind: 'TEXT', summary: 'value changed', ...nothing }, what)];
  const summary = differing.some((picture) => picture.startsWith('at ')) ? 'scrolled' : 'white space changed';
  return [changeOf(both, { kind: 'TEXT', summary, ...nothing }, what)];
}

function ancestorsOf({ parent }: TreeNode, { partners }: Matching): Pair[] {
  const ancestors: Pair[] = [];
  for (let at = parent; at !== null; at = at.parent) {
    const before = partners.get(at);
    if (before !== undefined) ancestors.push({ before: before.element, after: at.element });
  }
  return ancestors;
}

type Said = Pick<ElementChange, 'kind' | 'summary' | 'before' | 'after'>;

/** The part that is visible in the box. */
function sayShift({ before, after }: Both, changes: StyleChange[], matching: Matching, scale: number): Said | null {
  const [shift, inParent] = [shiftOf(after, matching), shiftInParent(after, matching)];
  if (shift === null || inParent === null) return null;
  const only = (axis: 'width' | 'height') => changes.every(({ name }) => name.endsWith(axis));
  const grown = {
    ...shift,
    ...(only('height') ? { width: 0 } : {}),
    ...(only('width') ? { height: 0 } : {}),
  };
  if (changes.every(({ name }) => isSize(name)) && (isShift(grown.width) || isShift(grown.height))) {
    const [from, to] = [formatSize(before.box, scale), formatSize(after.box, scale)];
    return { kind: 'RESIZED', summary: describeSize(grown, scale).summary, before: from, after: to };
  }
  if (changes.every(({ name }) => isPlace(name)) && (isShift(inParent.x) || isShift(inParent.y))) {
    return { kind: 'MOVED', summary: describePlace(inParent, scale).summary, before: null, after: null };
  }
  return null;
}

function sayStyles(changes: StyleChange[]): Said {
  const formatted = changes.map(({ name, before, after }) => ({
    name: formatStyleName(name),
    before: formatStyle(before),
    after: formatStyle(after),
  }));
  const list = (side: 'before' | 'after') => formatted.map((each) => `${each.name}: ${each[side]}`).join('; ');
  const summary = formatted
    // The address of an image may be unchanged although its bytes are not.
    .map(({ name, before, after }) =>
      before === after ? `${name} replaced` : `${name} ${cutTexts(before, after, 80).join(' → ')}`,
    )
    .join(', ');
  const [before, after] = cutTexts(list('before'), list('after'));
  return { kind: 'RESTYLED', summary, before, after };
}

function findRestyle(
  both: Both,
  matching: Matching,
  scale: number,
): { change: Omit<ElementChange, 'moves'>; moves: boolean }[] {
  const pair = { before: both.before.element, after: both.after.element };
  if (pair.before.styles === pair.after.styles) return [];
  const changes = findStyleChanges(pair, ancestorsOf(both.after, matching));
  if (changes.length === 0) return [];
  const said = sayShift(both, changes, matching, scale) ?? sayStyles(changes);
  const what = JSON.stringify(changes.map(keyOfStyle));
  const alters = isPlacingOnly(changes) ? 'nothing' : isLayoutOnly(changes) ? 'itself' : 'all';
  const change = { ...changeOf(both, said, what), alters } as const;
  return [{ change, moves: !isPaintOnly(changes) }];
}

/** What changed about elements themselves: words, pictures and styles. */
export function findOwnChanges(matching: Matching, scale: number): ElementChange[] {
  return matching.current.flatMap((after): ElementChange[] => {
    const before = matching.partners.get(after);
    if (before === undefined || (isEmpty(before.box) && isEmpty(after.box))) return [];
    const both = { before, after };
    const shift = shiftOf(after, matching);
    const moves = shift === null || isShift(shift.width) || isShift(shift.height);
    return [
      ...[...findText(both), ...findPicture(both)].map((change) => ({ ...change, moves })),
      ...findRestyle(both, matching, scale).map(({ change, moves: pushes }) => ({ ...change, moves: moves || pushes })),
    ];
  });
}
