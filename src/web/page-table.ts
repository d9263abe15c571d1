import { ACCOUNT_PAGES } from './account/pages.ts';
import { BASELINE_PAGES } from './baselines/pages.ts';
import { BUCKET_PAGES } from './buckets/pages.ts';
import { DASHBOARD_PAGES } from './dashboard/pages.ts';
import { REVIEW_PAGES } from './review/pages.ts';
import type { Row } from './row.ts';
import { RUN_PAGES } from './runs/pages.ts';
import { RUNS_LIST_PAGES } from './runs-list/pages.ts';
import { SETUP_PAGES } from './setup/pages.ts';
import { SUITE_PAGES } from './suites/pages.ts';

/** Every address of the pages; each noun brings its own rows. */
export const PAGES: readonly Row[] = [
  ...DASHBOARD_PAGES,
  ...RUNS_LIST_PAGES,
  ...ACCOUNT_PAGES,
  ...SETUP_PAGES,
  ...SUITE_PAGES,
  ...BUCKET_PAGES,
  ...RUN_PAGES,
  ...REVIEW_PAGES,
  ...BASELINE_PAGES,
];
