import { z } from 'zod';

export const PLACES = ['top', 'right', 'bottom', 'left'] as const;
export const LENGTHS = ['width', 'height', 'min-width', 'min-height', 'max-width', 'max-height'] as const;
const SIZES = [...LENGTHS, 'aspect-ratio'] as const;

/** Their computed values are known for every element, the specified values only for most (see `SET_NAMES`). */
export const RESOLVED = ['margin', 'padding', 'transform'] as const;

/** Styles that position boxes and draw nothing. */
const LAYOUT = [
  'padding',
  'margin',
  'display',
  'position',
  'transform',
  ...PLACES,
  ...SIZES,
  'box-sizing',
  'float',
  'clear',
  'gap',
  'flex',
  'flex-direction',
  'flex-wrap',
  'order',
  'align-content',
  'align-items',
  'align-self',
  'justify-content',
  'justify-items',
  'justify-self',
  'grid-template-columns',
  'grid-template-rows',
  'grid-area',
  'columns',
  'table-layout',
  'border-spacing',
  'vertical-align',
  'zoom',
  'translate',
  'rotate',
  'scale',
  'transform-origin',
  'perspective',
  'perspective-origin',
  'offset',
  'shape-outside',
  'column-span',
  'column-fill',
  'break-inside',
] as const;

/** Styles that can be seen and don't affect the layout. */
const PAINT = [
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
  'fill',
  'stroke',
  'background-position',
  'background-size',
  'background-repeat',
  'background-clip',
  'background-origin',
  'background-attachment',
  'background-blend-mode',
  'mix-blend-mode',
  'backdrop-filter',
  'border-image',
  'clip',
  'clip-path',
  'mask',
  'z-index',
  'object-fit',
  'object-position',
  'outline-offset',
  'image-rendering',
  'backface-visibility',
  'transform-style',
  'column-rule',
  'text-shadow',
  'text-overflow',
  'text-underline-offset',
  'text-underline-position',
  '-webkit-text-stroke',
  '-webkit-text-fill-color',
  '-webkit-box-reflect',
  'accent-color',
  'color-scheme',
  'box-decoration-break',
  'stroke-dasharray',
  'stroke-dashoffset',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-width',
  'fill-opacity',
  'stroke-opacity',
  'fill-rule',
  'paint-order',
  'marker',
  'isolation',
  'object-view-box',
  'stroke-miterlimit',
  'text-decoration-skip-ink',
  '-webkit-mask-box-image',
  'shape-rendering',
  'resize',
] as const;

/** Styles that can be seen and may move other boxes. */
export const BOTH = [
  'border-width',
  'font-family',
  'font-size',
  'font-weight',
  'font-style',
  'line-height',
  'letter-spacing',
  'text-align',
  'text-transform',
  'overflow',
  'font-stretch',
  'font-variant',
  'font-kerning',
  'font-feature-settings',
  'font-variation-settings',
  'text-rendering',
  'text-indent',
  'text-align-last',
  'text-emphasis',
  'text-orientation',
  'word-spacing',
  'word-break',
  'overflow-wrap',
  'hyphens',
  'white-space',
  'tab-size',
  '-webkit-line-clamp',
  'direction',
  'unicode-bidi',
  'writing-mode',
  'text-anchor',
  'dominant-baseline',
  'list-style-type',
  'list-style-image',
  'list-style-position',
  'content',
  'border-collapse',
  'caption-side',
  'empty-cells',
  'appearance',
  'text-wrap-style',
  'line-break',
  'font-size-adjust',
  'font-synthesis',
  'font-variant-caps',
  'text-combine-upright',
  'initial-letter',
  'ruby-position',
  '-webkit-text-security',
  'text-box-trim',
  'text-box-edge',
] as const;

const StyleName = z.enum([...PAINT, ...BOTH, ...LAYOUT]);
export type StyleName = z.infer<typeof StyleName>;

/** A value is '' if the map does not have it. */
export type ElementStyles = Record<StyleName, string>;

/** The styles that a map keeps: those that can be seen, and those that explain where a box is. */
export const STYLE_NAMES: readonly StyleName[] = StyleName.options;

/**
 * Kept as specified, such as `auto` or `50%`, because computed values depend on the available space and differ from
 * page to page without a change. Where scripts can't reach, `margin`, `padding` and `transform` are computed values.
 */
export const SET_NAMES = [
  'width',
  'height',
  ...PLACES,
  ...RESOLVED,
  'transform-origin',
  'perspective-origin',
  'grid-template-columns',
  'grid-template-rows',
] as const satisfies StyleName[];

export const isOneOf = (names: readonly StyleName[]) => {
  const set = new Set(names);
  return (name: StyleName): boolean => set.has(name);
};

export const isSize = isOneOf(SIZES);
export const isPlace = isOneOf(PLACES);
export const isResolved = isOneOf(RESOLVED);
/** Place a box, and leave what is in it as it is. */
export const isPlacing = isOneOf([
  ...PLACES,
  'margin',
  'position',
  'float',
  'clear',
  'order',
  'align-self',
  'justify-self',
  'grid-area',
  'translate',
]);
export const isLayout = isOneOf(LAYOUT);
export const isPaint = isOneOf(PAINT);

/** No value is known. */
export const NO_STYLES: Readonly<ElementStyles> = z
  .record(StyleName, z.string())
  .parse(Object.fromEntries(STYLE_NAMES.map((name) => [name, ''])));

/** The value that `read` gives for each style. */
export function collectStyles(read: (name: StyleName) => string): ElementStyles {
  const styles = { ...NO_STYLES };
  for (const name of STYLE_NAMES) styles[name] = read(name);
  return styles;
}
