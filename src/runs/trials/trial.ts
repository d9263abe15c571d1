import type { Region } from '../../compare/region.ts';
import type { SuiteConfig, SuiteConfigInput } from '../../suites/suite-config.ts';

declare module '../../db/json.ts' {
  interface JsonColumns {
    'page_trials.config': SuiteConfigInput;
    'page_trials.ignored_boxes': Region[];
    'page_trials.unmatched_selectors': string[];
    'page_trials.warnings': string[];
  }
}

/** One page captured with settings that need not be saved, to see what rules do. */
export type Trial = {
  id: string;
  testSuiteId: string;
  path: string;
  viewport: string;
  config: SuiteConfig;
  status: 'PENDING' | 'DONE' | 'ERROR';
  /** The object name of the screenshot. Null until the trial is DONE. */
  file: string | null;
  /** Where pixels would not count, in px of the screenshot. */
  ignoredBoxes: Region[];
  /** Selectors of the rules for this page that matched nothing. */
  unmatchedSelectors: string[];
  warnings: string[];
  error: string | null;
};
