import type { MappedElement } from './element-map.ts';
import {
  isLayout,
  isOneOf,
  isPaint,
  isPlace,
  isPlacing,
  isResolved,
  isSize,
  LENGTHS,
  PLACES,
  RESOLVED,
  STYLE_NAMES,
  type ElementStyles,
  type StyleName,
} from './element-styles.ts';
import { isInherited } from './inherited-styles.ts';
import { compareAddresses, withoutHashes } from './picture.ts';

export type StyleChange = {
  name: StyleName;
  before: string;
  after: string;
  /** Both values with the bytes of images in place of their addresses. */
  key: [string, string];
};

export type Pair = { before: MappedElement; after: MappedElement };

/** Styles that are often given in `em`, or follow from the font size. */
const isOfFontSize = isOneOf([
  ...PLACES,
  ...LENGTHS,
  ...RESOLVED,
  'font-size',
  'line-height',
  'letter-spacing',
  'border-radius',
  'border-width',
  'gap',
  'columns',
  'grid-template-columns',
  'grid-template-rows',
  'border-spacing',
  'word-spacing',
  'text-indent',
  'text-shadow',
  'text-underline-offset',
  'box-shadow',
  'outline',
  'outline-offset',
  'background-size',
  'background-position',
  'vertical-align',
  'translate',
  'flex',
]);

/** Whether something is drawn in this color or style. */
const DRAWN_WITH: Partial<Record<StyleName, StyleName>> = {
  'border-color': 'border-width',
  'border-style': 'border-width',
};

/** Changes that can't be seen, for example the color of a border without width. */
function readStyle(styles: ElementStyles, name: StyleName): string {
  const value = styles[name];
  const width = DRAWN_WITH[name];
  if (width !== undefined) return /[1-9]/.test(styles[width]) ? value : 'none';
  if (name === 'border-width') return /[1-9]/.test(value) ? value : 'none';
  if (name === 'outline') return /\bnone\b|\b0px\b/.test(value) ? 'none' : value;
  if (name === 'text-decoration') return /^none\b/.test(value) ? 'none' : value;
  if (isPlace(name) && styles.position === 'static') return 'auto';
  return value;
}

/** Whether the styles are specified values, see SET_NAMES. */
const isSet = (styles: ElementStyles) => styles.width !== '';

/** Whether no length in it depends on the available space. */
const isPlain = (value: string) => value === 'none' || value.startsWith('matrix') || /^[-\d.px ]+$/.test(value);

function compareStyle(before: ElementStyles, after: ElementStyles, name: StyleName): StyleChange[] {
  const [was, is] = [readStyle(before, name), readStyle(after, name)];
  // If one of the maps does not have the value, the change is unknown.
  if (was === is || was === '' || is === '') return [];
  if (isResolved(name) && isSet(before) !== isSet(after) && !(isPlain(was) && isPlain(is))) return [];
  const [same, other] = compareAddresses(was, is);
  return same === other ? [] : [{ name, before: was, after: is, key: [same, other] }];
}

/** Many elements have the same styles, which are one object in a map. */
const compared = new WeakMap<ElementStyles, WeakMap<ElementStyles, StyleChange[]>>();

/** All styles that differ. */
function compareStyles({ before: { styles: before }, after: { styles: after } }: Pair): StyleChange[] {
  const others = compared.get(before) ?? new WeakMap<ElementStyles, StyleChange[]>();
  compared.set(before, others);
  const found = others.get(after) ?? STYLE_NAMES.flatMap((name) => compareStyle(before, after, name));
  others.set(after, found);
  return found;
}

const numbersIn = (value: string) => (value.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);

const LENGTH = /-?\d{1,9}(?:\.\d{1,9})?px/g;

/** Whether each length of the value grew by the factor, and nothing else changed. */
function isScaled({ before, after }: StyleChange, factor: number): boolean {
  const [from, to] = [before, after].map((value) => (value.match(LENGTH) ?? []).map(Number.parseFloat));
  return (
    from !== undefined &&
    to !== undefined &&
    from.length > 0 &&
    before.replaceAll(LENGTH, '') === after.replaceAll(LENGTH, '') &&
    from.every((value, at) => Math.abs(value * factor - (to[at] ?? 0)) <= Math.max(0.6, 0.02 * Math.abs(value)))
  );
}

function fontFactor({ before, after }: Pair): number {
  const factor = Number.parseFloat(after.styles['font-size']) / Number.parseFloat(before.styles['font-size']);
  return Number.isFinite(factor) ? factor : 1;
}

const widthOf = (element: MappedElement) => element.box[2];

const sides = (values: number[]) => ({
  top: values[0] ?? 0,
  bottom: values[2] ?? values[0] ?? 0,
  right: values[1] ?? values[0] ?? 0,
  left: values[3] ?? values[1] ?? values[0] ?? 0,
});

/** Automatic margins above and below share the extra height of a flex container. */
function followsFromHeight({ name, before, after }: StyleChange, ancestors: Pair[]): boolean {
  const frame = ancestors.find(({ after: { box } }) => box[3] > 0);
  if (name !== 'margin' || frame === undefined || !/flex|grid/.test(frame.after.styles.display)) return false;
  const grew = frame.after.box[3] - frame.before.box[3];
  const [was, is] = [sides(numbersIn(before)), sides(numbersIn(after))];
  const [above, below] = [is.top - was.top, is.bottom - was.bottom];
  const isSideways = was.left !== is.left || was.right !== is.right;
  return !isSideways && Math.abs(above - below) < 0.2 && Math.abs(above + below - grew) < 0.2;
}

/** The side margins of a centered block, and moves by a percentage, follow from its width or its parent's. */
function followsFromWidth({ name, before, after }: StyleChange, pair: Pair, ancestors: Pair[]): boolean {
  const parent = ancestors[0];
  const grew = [pair, ...(parent === undefined ? [] : [parent])].some(
    (each) => Math.abs(widthOf(each.after) - widthOf(each.before)) >= 1,
  );
  if (!grew) return false;
  const [from, to] = [numbersIn(before), numbersIn(after)];
  if (name === 'transform') return from.slice(0, 4).join() === to.slice(0, 4).join() && from.length === to.length;
  if (name !== 'margin') return false;
  const [was, is] = [sides(from), sides(to)];
  return was.top === is.top && was.bottom === is.bottom && was.left === was.right && is.left === is.right;
}

/** A change of the element's color also changes everything in `currentcolor`. */
function followsFromColor({ name, before, after }: StyleChange, changes: StyleChange[]): boolean {
  const color = changes.find((change) => change.name === 'color');
  if (color === undefined || name === 'color' || name === 'background-color') return false;
  return before.replaceAll(color.before, color.after) === after;
}

/**
 * The styles that changed on this element itself: not by inheritance, by a font size above it, or with its width.
 * @param ancestors From the parent up, as far as they were matched.
 */
export function findStyleChanges(pair: Pair, ancestors: Pair[]): StyleChange[] {
  const { before, after } = pair;
  if (before.styles === after.styles || before.styles.color === '' || after.styles.color === '') return [];
  const changes = compareStyles(pair);
  if (changes.length === 0) return [];
  // Through what has no box, such as a `slot`.
  const parent = ancestors.find((each) => each.before.styles.color !== '' && each.after.styles.color !== '');
  const inherited = parent === undefined ? [] : compareStyles(parent);
  const factors = ancestors.map(fontFactor).filter((factor) => factor !== 1);
  const ownFactor = fontFactor(pair);
  return changes.filter((change) => {
    const isLikeParent = inherited.some(
      ({ name, before: from, after: to }) => name === change.name && from === change.before && to === change.after,
    );
    if (isLikeParent && isInherited(change.name)) return false;
    if (isOfFontSize(change.name) && factors.some((factor) => isScaled(change, factor))) return false;
    if (change.name !== 'font-size' && isOfFontSize(change.name) && ownFactor !== 1 && isScaled(change, ownFactor)) {
      return false;
    }
    if (followsFromColor(change, changes)) return false;
    // A specified value does not depend on anything around the element.
    if (isSet(before.styles) && isSet(after.styles)) return true;
    return !followsFromHeight(change, ancestors) && !followsFromWidth(change, pair, ancestors);
  });
}

/** Whether they only change where boxes are. */
export const isLayoutOnly = (changes: StyleChange[]): boolean => changes.every(({ name }) => isLayout(name));

/** Whether they only change where the box itself is, and not what is in it. */
export const isPlacingOnly = (changes: StyleChange[]): boolean => changes.every(({ name }) => isPlacing(name));

/** Whether they only change how boxes look, and not where they are. */
export const isPaintOnly = (changes: StyleChange[]): boolean => changes.every(({ name }) => isPaint(name));

function toHex(red: string, green: string, blue: string): string {
  return `#${[red, green, blue].map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
}

/** As people write it: colors in hexadecimal. */
export function formatStyle(value: string): string {
  if (value === '') return 'none';
  if (value === 'rgba(0, 0, 0, 0)') return 'transparent';
  return withoutHashes(value).replaceAll(
    /rgb\((\d+), ?(\d+), ?(\d+)\)/g,
    (_, red: string, green: string, blue: string) => toHex(red, green, blue),
  );
}

const isPixels = (value: string) => /^-?[\d.]+px$/.test(value);

export const formatStyleName = (name: StyleName): string => (name === 'background-color' ? 'background' : name);

/** The part that is equal on every page and viewport: how much a size or position changed, otherwise both values. */
export function keyOfStyle({ name, key: [before, after] }: StyleChange): Record<string, string | number> {
  const isByLength = (isSize(name) || isPlace(name)) && isPixels(before) && isPixels(after);
  if (!isByLength) return { name: formatStyleName(name), before: formatStyle(before), after: formatStyle(after) };
  return { name, by: Math.round((Number.parseFloat(after) - Number.parseFloat(before)) * 2) / 2 };
}
