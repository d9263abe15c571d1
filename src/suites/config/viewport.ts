import type { z } from 'zod';
import { MAX_VIEWPORT } from '../../capture/screenshot-size.ts';
import { group, optionalPart, part, setting } from './config-field.ts';
import { choice, decimal, line, wholeNumber, yesOrNo } from './config-kind.ts';

export const VIEWPORTS_MAX = 10;

export const COLOR_SCHEME = choice([
  ['light', 'Light'],
  ['dark', 'Dark'],
]);

export const USER_AGENT = line(String.raw`\x20-\x7e`, 256, 'printable ASCII characters');

/** Sizes are CSS pixels. */
export const VIEWPORT = group(
  {
    name: part(line(String.raw`A-Za-z0-9._\-`, 64, 'letters, digits, dots, dashes or underscores'), 'Name'),
    width: part(wholeNumber([100, MAX_VIEWPORT.width], 'px'), 'Width'),
    height: part(wholeNumber([100, MAX_VIEWPORT.height], 'px'), 'Height'),
    deviceScaleFactor: setting(decimal([0.5, 4]), { section: null, label: 'Scale', help: '', default: 1 }),
    colorScheme: optionalPart(COLOR_SCHEME, 'Color scheme'),
    touch: setting(yesOrNo(), { section: null, label: 'Touch', help: '', default: false }),
    userAgent: optionalPart(USER_AGENT, 'User agent'),
  },
  // Unknown fields of a viewport have always been ignored.
  false,
);
export type Viewport = z.output<typeof VIEWPORT.value>;

export const viewportNames = ({ viewports }: { viewports: readonly Viewport[] }): string[] =>
  viewports.map(({ name }) => name);

export const describeViewport = ({ name, width, height }: Viewport) => `${name} ${width}×${height}`;
