import { z } from 'zod';

/** The colors in which differences can be marked. Their values are in `web/review/overlay-colors.ts`. */
const OVERLAY_COLORS = ['magenta', 'orange', 'blue', 'yellow'] as const;

/** How fast the two screenshots of the mode `blink` alternate. */
const BLINK_SPEEDS = ['slow', 'medium', 'fast'] as const;

/** How results with their thumbnails are laid out. */
const RESULT_LAYOUTS = ['grid', 'list'] as const;

const FIELDS = {
  overlayColor: z.enum(OVERLAY_COLORS),
  /** In percent. What is below stays visible. */
  overlayOpacity: z.coerce.number().int().min(10).max(90),
  blinkSpeed: z.enum(BLINK_SPEEDS),
  resultLayout: z.enum(RESULT_LAYOUTS),
};

/** What a form may change: any of the fields. Numbers may be text. */
export const PreferenceChange = z.object(FIELDS).partial();
export type PreferenceChange = z.output<typeof PreferenceChange>;

/** How an account likes to see the pages. Every field has a value: the chosen one, or the default. */
const Preferences = z.object({
  overlayColor: FIELDS.overlayColor.default('magenta').catch('magenta'),
  overlayOpacity: FIELDS.overlayOpacity.default(60).catch(60),
  blinkSpeed: FIELDS.blinkSpeed.default('medium').catch('medium'),
  resultLayout: FIELDS.resultLayout.default('grid').catch('grid'),
} satisfies Record<keyof PreferenceChange, z.ZodType>);
export type Preferences = z.output<typeof Preferences>;

declare module '../db/json.ts' {
  interface JsonColumns {
    'users.preferences': PreferenceChange;
  }
}

/** A value that is no longer offered gives the default, so that an upgrade needs no migration of what people chose. */
export const readPreferences = (stored: PreferenceChange): Preferences => Preferences.parse(stored);

export const DEFAULT_PREFERENCES = readPreferences({});
