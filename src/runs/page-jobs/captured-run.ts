import type { SuiteConfig } from '../../suites/config/suite-config.ts';
import type { Suite } from '../../suites/suite.ts';
import type { RunTarget } from '../run-target.ts';
import type { Run } from '../run.ts';
import type { OwnSite, VisitOfRun } from './own-site.ts';
import type { Pace } from './pace.ts';

/** A run of which a page is captured. */
export type CapturedRun = {
  run: Run;
  suite: Suite;
  target: RunTarget;
  /** The configuration of the base, where the run's pull request loosens it. */
  base: SuiteConfig | null;
  visit: VisitOfRun;
  ownSite: OwnSite;
  pace: Pace;
};
