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

const PHONE = { width: 375, height: 812, touch: true };

const MORE: [label: string, viewport: Viewport][] = [
  ['Mobile, dark', VIEWPORT.complete({ name: 'mobile-dark', ...PHONE, colorScheme: 'dark' })],
  ['Mobile, high resolution', VIEWPORT.complete({ name: 'mobile-2x', ...PHONE, deviceScaleFactor: 2 })],
  ['Desktop, dark', VIEWPORT.complete({ name: 'desktop-dark', width: 1280, height: 800, colorScheme: 'dark' })],
  ['Tablet', VIEWPORT.complete({ name: 'tablet', width: 768, height: 1024, touch: true })],
];

/** Viewports that the settings of a suite offer to add. */
export const MORE_VIEWPORTS = MORE.map(([label, viewport]) => ({
  label: `${label} (${viewport.width}×${viewport.height})`,
  viewport,
}));
