import type { PageOptions } from './open-page.ts';

type PlainPage = Omit<PageOptions, 'scripts' | 'before'>;

/** The options of a page that is read or used, but not compared with a baseline. */
export const plainPage = (url: string, access: PlainPage['access'], userAgent: string | null): PlainPage => ({
  url,
  access,
  preview: null,
  viewport: { width: 1280, height: 800, deviceScaleFactor: 1, colorScheme: null, touch: false, userAgent },
  emulation: { colorScheme: 'light', locale: 'en-US', timezone: 'UTC', reducedMotion: true },
  blockHosts: [],
  serviceWorkers: 'block',
});
