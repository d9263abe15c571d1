import { ACCOUNT_ROUTES } from './account/account-routes.ts';
import { BASELINE_ROUTES } from './baselines/baseline-routes.ts';
import { SINGLE_PAGE_ROUTES } from './single-pages/single-page-routes.ts';
import { DASHBOARD_ROUTES } from './dashboard/dashboard-routes.ts';
import { REVIEW_ROUTES } from './review/review-routes.ts';
import type { Route } from './web-route.ts';
import { RUN_ROUTES } from './runs/run-routes.ts';
import { RUNS_LIST_ROUTES } from './runs-list/run-list-routes.ts';
import { SEARCH_ROUTES } from './search/search-routes.ts';
import { SETUP_ROUTES } from './setup/setup-routes.ts';
import { SUITE_ROUTES } from './suites/suite-routes.ts';

/** All routes of the web pages. Each folder has its own list. */
export const ROUTES: readonly Route[] = [
  ...DASHBOARD_ROUTES,
  ...RUNS_LIST_ROUTES,
  ...SEARCH_ROUTES,
  ...ACCOUNT_ROUTES,
  ...SETUP_ROUTES,
  ...SUITE_ROUTES,
  ...SINGLE_PAGE_ROUTES,
  ...RUN_ROUTES,
  ...REVIEW_ROUTES,
  ...BASELINE_ROUTES,
];
