import { FETCHED_PAGES, PLACED_PAGES, TIMED_PAGES } from './late-pages.js';
import { ENDING_PAGES, ENDLESS_PAGES, RESTLESS_PAGES } from './moving-pages.js';
import { SET_PAGES } from './set-pages.js';

/** One page for each source of motion, lateness or chance. */
export const CORPUS = [
  ...TIMED_PAGES,
  ...FETCHED_PAGES,
  ...PLACED_PAGES,
  ...ENDLESS_PAGES,
  ...ENDING_PAGES,
  ...RESTLESS_PAGES,
  ...SET_PAGES,
];
