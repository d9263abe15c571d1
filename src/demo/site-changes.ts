export type SiteVersion = 'before' | 'after';

/** What "after" changes on the site, by path. Pages that are not listed are identical in every pixel. */
export const SITE_CHANGES = {
  '/prices': 'color',
  '/journal': 'text',
  '/cabins': 'height',
  '/journal/night-swim': 'new',
} as const;

/** The only path that robots.txt forbids to crawlers. It responds like any other page. */
export const FORBIDDEN_PATH = '/staff';

/** The suite's `customCss`. It hides the running clock of the timetable, so that the site can be captured. */
export const HIDE_CLOCK = '.clock { visibility: hidden }';
