export type SiteVersion = 'before' | 'after';

/** What "after" does to the site, by path; every page that is not named here is the same, to the pixel. */
export const SITE_CHANGES = {
  '/prices': 'color',
  '/journal': 'text',
  '/cabins': 'height',
  '/journal/night-swim': 'new',
} as const;

/** The one path that robots.txt asks crawlers to leave alone; it answers like any page. */
export const FORBIDDEN_PATH = '/staff';

/** What makes the site capturable although its timetable shows a running clock: the suite's `customCss`. */
export const HIDE_CLOCK = '.clock { visibility: hidden }';
