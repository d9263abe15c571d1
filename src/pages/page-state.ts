/**
 * What the newest finished site run found at a page, over all viewports. The state that needs most attention comes
 * first. Runs keep it in the table `page_states`, which has no row for `never`. The rule is `PAGE_STATE_SQL`.
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
