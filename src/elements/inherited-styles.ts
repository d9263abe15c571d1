import { BOTH, isOneOf } from './element-styles.ts';

/** If parent and child change alike, the child only inherited it. */
export const isInherited = isOneOf([
  'color',
  'text-decoration',
  'visibility',
  'fill',
  'stroke',
  'image-rendering',
  'text-shadow',
  'text-underline-offset',
  'text-underline-position',
  '-webkit-text-stroke',
  '-webkit-text-fill-color',
  'accent-color',
  'color-scheme',
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
  'stroke-miterlimit',
  'text-decoration-skip-ink',
  'border-spacing',
  ...BOTH.filter(
    (name) =>
      ![
        'border-width',
        'overflow',
        'unicode-bidi',
        'dominant-baseline',
        'content',
        '-webkit-line-clamp',
        'appearance',
        'initial-letter',
      ].includes(name),
  ),
]);
