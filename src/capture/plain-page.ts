/** Options for pages that are read or used, but not captured. */
export const VIEWPORT = { width: 1280, height: 800, deviceScaleFactor: 1, colorScheme: null, touch: false };
export const EMULATION = { colorScheme: 'light', locale: 'en-US', timezone: 'UTC', reducedMotion: true } as const;
