import { ACCOUNT_ROUTES } from './account/account-routes.ts';
import { getCompare } from './baselines/compare.ts';
import { postRestore } from './baselines/restore.ts';
import { getPage } from './baselines/show-page.ts';
import { getRuns, getSuiteRuns } from './home/run-lists.ts';
import { getSearch } from './home/search.ts';
import { AUDIT_ROUTES } from './home/show-audit.ts';
import { getStart } from './home/start.ts';
import { NOTICE_ROUTES } from './notices/notice-routes.ts';
import { RUN_ROUTES } from './runs/run-routes.ts';
import { SETUP_ROUTES } from './setup/setup-routes.ts';
import { SUITE_ROUTES } from './suites/suite-routes.ts';
import type { Route } from './web-route.ts';

/** All routes of the web pages. Large folders have a list of their own. */
export const ROUTES: readonly Route[] = [
  getStart,
  getRuns,
  getSearch,
  ...ACCOUNT_ROUTES,
  ...SETUP_ROUTES,
  ...SUITE_ROUTES,
  ...NOTICE_ROUTES,
  ...AUDIT_ROUTES,
  getSuiteRuns,
  ...RUN_ROUTES,
  getPage,
  getCompare,
  postRestore,
];
