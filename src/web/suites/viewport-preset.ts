import { DEFAULT_CONFIG } from '../../suites/suite-config.ts';
import type { Viewport } from '../../suites/viewport.ts';
import { VIEWPORT, describeViewport } from '../../suites/viewport.ts';

type Preset = { value: string; label: string; viewports: Viewport[] | null };

const TABLET = VIEWPORT.complete({ name: 'tablet', width: 768, height: 1024 });

const [DESKTOP, MOBILE] = DEFAULT_CONFIG.viewports;
const of = (...viewports: (Viewport | undefined)[]) => viewports.filter((viewport) => viewport !== undefined);
const sizes = (viewports: Viewport[]) => viewports.map(describeViewport).join(', ');

/** Null: the default. The suite then also follows later changes to the default. */
const CHOICES: [value: string, label: string, viewports: Viewport[] | null][] = [
  ['default', 'Desktop and mobile', null],
  ['desktop', 'Desktop only', of(DESKTOP)],
  ['mobile', 'Mobile only', of(MOBILE)],
  ['three', 'Desktop, tablet and mobile', of(DESKTOP, TABLET, MOBILE)],
];

/** The viewports offered for a new suite. Others can be set in its settings. */
export const VIEWPORT_PRESETS: readonly Preset[] = CHOICES.map(([value, label, viewports]) => ({
  value,
  label: `${label} (${sizes(viewports ?? DEFAULT_CONFIG.viewports)})`,
  viewports,
}));
