import { z } from 'zod';

const StyleName = z.enum([
  'color',
  'background-color',
  'background-image',
  'border-color',
  'border-style',
  'border-width',
  'border-radius',
  'outline',
  'box-shadow',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'font-style',
  'line-height',
  'letter-spacing',
  'text-align',
  'text-transform',
  'text-decoration',
  'padding',
  'margin',
  'display',
  'overflow',
  'position',
  'transform',
  'filter',
  'fill',
  'stroke',
  'visibility',
]);
export type StyleName = z.infer<typeof StyleName>;

export type ElementStyles = Record<StyleName, string>;

/** The computed styles that are kept of an element: what can be seen, and what tells why its box is where it is. */
export const STYLE_NAMES: readonly StyleName[] = StyleName.options;

const ElementStyles = z.record(StyleName, z.string());

/** The value that `read` gives for each style. */
export function collectStyles(read: (name: StyleName) => string): ElementStyles {
  return ElementStyles.parse(Object.fromEntries(STYLE_NAMES.map((name) => [name, read(name)])));
}
