import type { RunType } from '../run.ts';

/** What a slot does with pages. */
export type PageWork = 'capture' | 'compare';

/** The pages of a run that wait for each other's turn: a pull request waits for its run; nobody may be waiting for one of the site. */
export const WEIGHTS = { PR: 1, BRANCH: 1, MANUAL: 4 } as const satisfies Record<RunType, number>;

/** Failures after which a page is given up. The wait after failure n is e^n seconds. */
export const MAX_ATTEMPTS = 5;

/** A page that was put off, or is left to another worker, is looked at again after this time. */
export const LATER_MS = 2000;

/** How long work on one page may take, with all viewports. */
export const MAX_MINUTES = { capture: 60, compare: 30 } as const satisfies Record<PageWork, number>;
