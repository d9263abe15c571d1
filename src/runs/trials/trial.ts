import type { SelectedRow } from '../../db/query.ts';
import type { Region } from '../../elements/region.ts';
import { effectiveConfig, type SuiteConfigInput } from '../../suites/config/suite-config.ts';

declare module '../../db/json.ts' {
  interface JsonColumns {
    'page_trials.config': SuiteConfigInput;
    'page_trials.ignored_boxes': Region[];
    'page_trials.unmatched_selectors': string[];
    'page_trials.warnings': string[];
    'page_trials.visit': TrialVisit;
  }
}

/** The response to a request without a browser. */
export type TrialVisit = {
  /** Null: there was no answer. */
  status: number | null;
  /** After redirects. */
  address: string;
  error: string | null;
  /** What blocked the request, and which setting passes it, in sentences. */
  wall: string | null;
};

export const TRIAL_COLUMNS = [
  'id',
  'test_suite_id',
  // Where the page is, for a trial of an address. Null: a trial of settings, on the suite's own site.
  'origin',
  'path',
  'viewport',
  'config',
  'status',
  // The object name of the screenshot. Null until the trial is DONE.
  'file',
  // For a trial of an address. Null until it was requested.
  'visit',
  // Where pixels would not count, in px of the screenshot.
  'ignored_boxes',
  // Selectors of the rules for this page that matched nothing.
  'unmatched_selectors',
  'warnings',
  'error',
] as const;

/** One page captured with settings that need not be saved, to see what rules do. */
export type Trial = ReturnType<typeof toTrial>;

export const toTrial = (row: SelectedRow<'page_trials', typeof TRIAL_COLUMNS>) => ({
  ...row,
  config: effectiveConfig(row.config),
  ignoredBoxes: row.ignoredBoxes ?? [],
  unmatchedSelectors: row.unmatchedSelectors ?? [],
  warnings: row.warnings ?? [],
});
