import type { CaptureRequest, CaptureViewport } from '../../capture/browser.ts';

/** What suites have no settings for yet. */
export const CAPTURE_DEFAULTS = {
  settle: { quiet: 1000, network: 600, timeout: 5000 },
  emulation: { colorScheme: 'light', locale: 'en-US', timezone: 'UTC', reducedMotion: true },
  clock: null,
  seedRandom: false,
  blockHosts: [],
  rules: { hide: [], remove: [], mask: [], ignore: [], waitFor: [], actions: [], css: '' },
} satisfies Partial<CaptureRequest>;

export const VIEWPORT_DEFAULTS = {
  deviceScaleFactor: 1,
  colorScheme: null,
  touch: false,
  userAgent: null,
} satisfies Partial<CaptureViewport>;
