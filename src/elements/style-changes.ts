import type { MappedElement } from './element-map.ts';
import type { ElementStyles, StyleName } from './element-styles.ts';
import { STYLE_NAMES } from './element-styles.ts';

export type StyleChange = { name: StyleName; before: string; after: string };

/** An element as it was and as it is. */
export type Pair = { before: MappedElement; after: MappedElement };

/** These say where boxes are, and draw nothing. */
const LAYOUT: ReadonlySet<StyleName> = new Set(['padding', 'margin', 'display', 'position', 'transform']);

/** These take no room and give none up. */
const PAINT: ReadonlySet<StyleName> = new Set([
  'color',
  'background-color',
  'background-image',
  'border-color',
  'border-style',
  'border-radius',
  'outline',
  'box-shadow',
  'opacity',
  'text-decoration',
  'filter',
  'visibility',
]);

/** Of these many are given in `em`, or follow from the font size. */
const OF_FONT_SIZE: ReadonlySet<StyleName> = new Set([
  'font-size',
  'line-height',
  'letter-spacing',
  'padding',
  'margin',
  'border-radius',
  'border-width',
]);

/** What stays the same to the eye: the color of a border without width, say. */
function readStyle(styles: ElementStyles, name: StyleName): string {
  const value = styles[name];
  if (name === 'border-color' || name === 'border-style') return /[1-9]/.test(styles['border-width']) ? value : '';
  if (name === 'border-width') return /[1-9]/.test(value) ? value : '';
  if (name === 'outline') return /\bnone\b|\b0px\b/.test(value) ? '' : value;
  if (name === 'text-decoration') return /^none\b/.test(value) ? '' : value;
  return value;
}

const numbersIn = (value: string) => (value.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);

/** Whether each number of the value grew by the factor. */
function isScaled({ before, after }: StyleChange, factor: number): boolean {
  const [from, to] = [numbersIn(before), numbersIn(after)];
  return (
    from.length > 0 &&
    from.length === to.length &&
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

/** Automatic margins above and below share what a flexible box is higher than before. */
function followsFromHeight({ name, before, after }: StyleChange, ancestors: Pair[]): boolean {
  const frame = ancestors.find(({ after: { box } }) => box[3] > 0);
  if (name !== 'margin' || frame === undefined || !/flex|grid/.test(frame.after.styles.display)) return false;
  const grew = frame.after.box[3] - frame.before.box[3];
  const [was, is] = [sides(numbersIn(before)), sides(numbersIn(after))];
  const [above, below] = [is.top - was.top, is.bottom - was.bottom];
  const isSideways = was.left !== is.left || was.right !== is.right;
  return !isSideways && Math.abs(above - below) < 0.2 && Math.abs(above + below - grew) < 0.2;
}

/** Side margins of a block that is centered, and moves by percentages of a box, follow from its width or its parent's. */
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

/** A change of the element's color changes what is drawn in `currentcolor` as well. */
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
  const compare = (each: Pair) =>
    STYLE_NAMES.map((name) => ({
      name,
      before: readStyle(each.before.styles, name),
      after: readStyle(each.after.styles, name),
    })).filter((change) => change.before !== change.after);
  const changes = compare(pair);
  if (changes.length === 0) return [];
  const parent = ancestors[0];
  const inherited = parent === undefined ? [] : compare(parent);
  const factors = ancestors.map(fontFactor).filter((factor) => factor !== 1);
  const ownFactor = fontFactor(pair);
  return changes.filter((change) => {
    const isInherited = inherited.some(
      ({ name, before: from, after: to }) => name === change.name && from === change.before && to === change.after,
    );
    if (isInherited && !LAYOUT.has(change.name) && !DRAWN_ONCE.has(change.name)) return false;
    if (OF_FONT_SIZE.has(change.name) && factors.some((factor) => isScaled(change, factor))) return false;
    if (
      change.name !== 'font-size' &&
      OF_FONT_SIZE.has(change.name) &&
      ownFactor !== 1 &&
      isScaled(change, ownFactor)
    ) {
      return false;
    }
    if (followsFromColor(change, changes) || followsFromHeight(change, ancestors)) return false;
    return !followsFromWidth(change, pair, ancestors);
  });
}

/** No child inherits these: where parent and child change alike, both were changed. */
const DRAWN_ONCE: ReadonlySet<StyleName> = new Set([
  'background-color',
  'background-image',
  'border-color',
  'border-style',
  'border-width',
  'border-radius',
  'outline',
  'box-shadow',
  'opacity',
  'filter',
]);

/** Whether they only change where boxes are. */
export const isLayoutOnly = (changes: StyleChange[]): boolean => changes.every(({ name }) => LAYOUT.has(name));

/** Whether they only change how boxes look, and not where they are. */
export const isPaintOnly = (changes: StyleChange[]): boolean => changes.every(({ name }) => PAINT.has(name));

function toHex(red: string, green: string, blue: string): string {
  return `#${[red, green, blue].map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
}

/** As people write it: colors in hexadecimal. */
export function formatStyle(value: string): string {
  if (value === '') return 'none';
  if (value === 'rgba(0, 0, 0, 0)') return 'transparent';
  return value.replaceAll(/rgb\((\d+), ?(\d+), ?(\d+)\)/g, (_, red: string, green: string, blue: string) =>
    toHex(red, green, blue),
  );
}

export const formatStyleName = (name: StyleName): string => (name === 'background-color' ? 'background' : name);
