import type { Region } from '../../compare/region.ts';
import type { SuiteConfig, SuiteConfigInput } from '../../suites/config/suite-config.ts';

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

/** One page captured with settings that need not be saved, to see what rules do. */
export type Trial = {
  id: string;
  testSuiteId: string;
  /** Where the page is, for a trial of an address. Null: a trial of settings, on the suite's own site. */
  origin: string | null;
  path: string;
  viewport: string;
  config: SuiteConfig;
  status: 'PENDING' | 'DONE' | 'ERROR';
  /** The object name of the screenshot. Null until the trial is DONE. */
  file: string | null;
  /** For a trial of an address. Null until it was requested. */
  visit: TrialVisit | null;
  /** Where pixels would not count, in px of the screenshot. */
  ignoredBoxes: Region[];
  /** Selectors of the rules for this page that matched nothing. */
  unmatchedSelectors: string[];
  warnings: string[];
  error: string | null;
};
