import * as account from './account/account-settings.ts';
import * as administration from './account/administration.ts';
import * as email from './account/email-choices.ts';
import * as invitation from './account/invitation-form.ts';
import * as sessions from './account/session-forms.ts';
import * as signIn from './account/sign-in-form.ts';
import * as targets from './account/target-pages.ts';
import * as tokens from './account/tokens-form.ts';
import * as compare from './baselines/compare.ts';
import * as page from './baselines/show-page.ts';
import * as runLists from './home/run-lists.ts';
import * as search from './home/search.ts';
import * as audit from './home/show-audit.ts';
import * as start from './home/start.ts';
import * as decisions from './runs/decisions/decide.ts';
import * as ignore from './runs/decisions/ignore.ts';
import * as runForms from './runs/decisions/run-forms.ts';
import * as live from './runs/live.ts';
import * as log from './runs/log.ts';
import * as result from './runs/show-result.ts';
import * as run from './runs/show-run.ts';
import * as connect from './setup/connect.ts';
import * as firstCheck from './setup/first-check.ts';
import * as installed from './setup/installed.ts';
import * as crawl from './suites/crawl-box.ts';
import * as createSuite from './suites/create-suite-form.ts';
import * as ignored from './suites/ignored.ts';
import * as suiteLists from './suites/list-suites-page.ts';
import * as repository from './suites/repository.ts';
import * as settings from './suites/settings.ts';
import * as sharing from './suites/sharing-form.ts';
import * as suite from './suites/show.ts';
import * as siteAccess from './suites/site-access.ts';
import * as storage from './suites/storage.ts';
import * as suiteForms from './suites/suite-forms.ts';
import * as suiteTokens from './suites/tokens-form.ts';
import type { Route } from './web-route.ts';

const isRoute = (exported: unknown): exported is Route =>
  typeof exported === 'object' && exported !== null && 'handleProblem' in exported;

/** What a module of pages exports as routes, alone or in a list. */
function routesOf(module: object): Route[] {
  const exported: unknown[] = Object.values(module);
  return exported.flat().filter(isRoute);
}

/** All routes of the web pages. `/suites/new` comes before `/suites/:id`, which would match it too. */
export const ROUTES: readonly Route[] = [
  start,
  runLists,
  search,
  signIn,
  sessions,
  invitation,
  account,
  email,
  tokens,
  administration,
  connect,
  installed,
  firstCheck,
  suiteLists,
  createSuite,
  suite,
  suiteForms,
  crawl,
  settings,
  siteAccess,
  ignored,
  storage,
  suiteTokens,
  sharing,
  repository,
  targets,
  audit,
  run,
  live,
  log,
  result,
  decisions,
  runForms,
  ignore,
  page,
  compare,
].flatMap(routesOf);
