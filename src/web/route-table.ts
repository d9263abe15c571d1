import * as account from './account/account-settings.ts';
import * as administration from './account/administration.ts';
import * as email from './account/email-choices.ts';
import * as invitation from './account/invitation-form.ts';
import * as passkeys from './account/passkey-forms.ts';
import * as passwordReset from './account/password-reset-forms.ts';
import * as sessions from './account/session-forms.ts';
import * as signIn from './account/sign-in-form.ts';
import * as tokens from './account/tokens-form.ts';
import * as compare from './baselines/compare.ts';
import * as page from './baselines/show-page.ts';
import * as runs from './home/run-lists.ts';
import * as search from './home/search.ts';
import * as audit from './home/show-audit.ts';
import * as start from './home/start.ts';
import * as notices from './notices/target-pages.ts';
import * as review from './runs/begin-review.ts';
import * as assignees from './runs/decisions/assignees.ts';
import * as comments from './runs/decisions/comments.ts';
import * as decide from './runs/decisions/decide.ts';
import * as ignore from './runs/decisions/ignore.ts';
import * as runForms from './runs/decisions/run-forms.ts';
import * as settingsChange from './runs/decisions/settings.ts';
import * as live from './runs/live.ts';
import * as log from './runs/log.ts';
import * as news from './runs/news.ts';
import * as result from './runs/show-result.ts';
import * as run from './runs/show-run.ts';
import * as connect from './setup/connect.ts';
import * as firstCheck from './setup/first-check.ts';
import * as installed from './setup/installed.ts';
import * as crawl from './suites/crawl-box.ts';
import * as newSinglePage from './suites/create-single-page.ts';
import * as newSuite from './suites/create-suite-form.ts';
import * as ignored from './suites/ignored.ts';
import * as leave from './suites/leave.ts';
import * as suites from './suites/list-suites-page.ts';
import * as repository from './suites/repository.ts';
import * as settings from './suites/settings.ts';
import * as sharing from './suites/sharing-form.ts';
import * as suite from './suites/show.ts';
import * as siteAccess from './suites/site-access.ts';
import * as storage from './suites/storage.ts';
import * as suiteForms from './suites/suite-forms.ts';
import * as suiteTokens from './suites/tokens-form.ts';
import * as trial from './suites/trial.ts';
import type { Route } from './web-route.ts';

/** All files with pages and forms. That of `/suites/new` comes before that of `/suites/:id`, which would match it too. */
const FILES = [
  [start, runs, search, notices, audit],
  [signIn, passkeys, sessions, invitation, passwordReset, account, email, tokens, administration],
  [connect, installed, firstCheck],
  [suites, newSuite, newSinglePage, suite, suiteForms, crawl, settings, trial, siteAccess, ignored, storage],
  [suiteTokens, sharing, leave, repository, page, compare],
  [run, live, log, news, review, result, decide, settingsChange, comments, runForms, assignees, ignore],
].flat();

const isRoute = (exported: unknown): exported is Route =>
  typeof exported === 'object' && exported !== null && 'handleProblem' in exported;

/** All routes of the web pages: what these files export of them. */
export const ROUTES: readonly Route[] = FILES.flatMap((file) => Object.values<unknown>(file).flat().filter(isRoute));
