import type { RunType } from '../run.ts';

/** What a slot does with pages. */
export type PageWork = 'capture' | 'compare';

/** `slot`: from 0. */
export type Slot = { suiteId: string; slot: number };

/** The setting of a run that says how many slots do this for it. */
export const LIMITS = {
  capture: 'screenshotConcurrency',
  compare: 'comparisonConcurrency',
} as const satisfies Record<PageWork, string>;

/**
 * By how much a page raises its run's turn: people wait for runs of pull requests, but perhaps not for one of the site.
 */
export const WEIGHTS = { PR: 1, BRANCH: 1, MANUAL: 4 } as const satisfies Record<RunType, number>;

/** Failures after which a page is given up. The wait after failure n is e^n seconds. */
export const MAX_ATTEMPTS = 5;

/** A postponed page, or one that is left to another worker, is tried again after this time. */
export const LATER_MS = 2000;

/** How long work on one page may take, with all viewports. */
export const MAX_MINUTES = { capture: 60, compare: 30 } as const satisfies Record<PageWork, number>;
