import { ACCOUNT_ROUTES } from './account/routes.ts';
import { BASELINE_ROUTES } from './baselines/routes.ts';
import { SINGLE_PAGE_ROUTES } from './single-pages/routes.ts';
import { DASHBOARD_ROUTES } from './dashboard/routes.ts';
import { REVIEW_ROUTES } from './review/routes.ts';
import type { Route } from './route.ts';
import { RUN_ROUTES } from './runs/routes.ts';
import { RUNS_LIST_ROUTES } from './runs-list/routes.ts';
import { SETUP_ROUTES } from './setup/routes.ts';
import { SUITE_ROUTES } from './suites/routes.ts';

/** Every route of the web pages; each folder has its own. */
export const ROUTES: readonly Route[] = [
  ...DASHBOARD_ROUTES,
  ...RUNS_LIST_ROUTES,
  ...ACCOUNT_ROUTES,
  ...SETUP_ROUTES,
  ...SUITE_ROUTES,
  ...SINGLE_PAGE_ROUTES,
  ...RUN_ROUTES,
  ...REVIEW_ROUTES,
  ...BASELINE_ROUTES,
];
