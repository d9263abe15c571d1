/**
 * What the newest finished site run found at a page, over all viewports. The state that needs most attention comes
 * first. The database keeps it in the table `page_states` (migration 047), which has no row for `never`.
 */
export const PAGE_STATES = [
  'changed',
  'error',
  'new',
  'approved',
  'uncounted',
  'cancelled',
  'unchanged',
  'never',
] as const;
export type PageState = (typeof PAGE_STATES)[number];

/** How many pages there are in each state. */
export type PageStateCounts = Record<PageState, number>;
