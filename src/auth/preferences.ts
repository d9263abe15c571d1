import { z } from 'zod';

/** The layout of results and their thumbnails. */
export const RESULT_LAYOUTS = ['list', 'grid'] as const;
export type ResultLayout = (typeof RESULT_LAYOUTS)[number];

/** The colors of the pages, in light and in dark. */
export const PAGE_COLORS = ['default', 'colorblind', 'high_contrast'] as const;
export type PageColors = (typeof PAGE_COLORS)[number];

/** Whether single keys such as `a` do something. Speech input may press them by accident. */
export const SINGLE_KEYS = ['on', 'off'] as const;

const FIELDS = {
  pageColors: z.enum(PAGE_COLORS),
  singleKeys: z.enum(SINGLE_KEYS),
  resultLayout: z.enum(RESULT_LAYOUTS),
};

/** What a form may change: any of the fields. */
export const PreferenceChange = z.object(FIELDS).partial();
export type PreferenceChange = z.output<typeof PreferenceChange>;

/** How an account likes to see the pages. Every field has a value: the chosen one, or the default. */
const Preferences = z.object({
  pageColors: FIELDS.pageColors.default('default').catch('default'),
  singleKeys: FIELDS.singleKeys.default('on').catch('on'),
  resultLayout: FIELDS.resultLayout.default('list').catch('list'),
} satisfies Record<keyof PreferenceChange, z.ZodType>);
export type Preferences = z.output<typeof Preferences>;

declare module '../db/json.ts' {
  interface JsonColumns {
    'users.preferences': PreferenceChange;
  }
}

/** A value that no longer exists becomes the default, so that an upgrade needs no migration of preferences. */
export const readPreferences = (stored: PreferenceChange): Preferences => Preferences.parse(stored);

export const DEFAULT_PREFERENCES = readPreferences({});
