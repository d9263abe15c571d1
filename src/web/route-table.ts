import * as account from './account/account-settings.ts';
import * as administration from './account/administration.ts';
import * as email from './account/email-choices.ts';
import { getInvitation, postInvitation, postRegisterInvited } from './account/invitation-form.ts';
import {
  postEndOtherSessions,
  postEndSession,
  postPasskey,
  postPasskeySignIn,
  postRemovePasskey,
  postSignOut,
  postSignOutEverywhere,
} from './account/session-forms.ts';
import * as passwordReset from './account/sign-in-form.ts';
import * as signIn from './account/sign-in-form.ts';
import { getTokens, postRevokeToken, postToken } from './account/tokens-form.ts';
import { getCompare } from './baselines/compare.ts';
import { getPage, postRestore } from './baselines/show-page.ts';
import { getRuns, getSuiteRuns } from './home/run-lists.ts';
import { getSearch } from './home/search.ts';
import { AUDIT_ROUTES } from './home/show-audit.ts';
import { getStart } from './home/start.ts';
import { NOTICE_ROUTES } from './notices/target-pages.ts';
import { postApprove, postRequestChanges, postSettingsChange, postUndo } from './runs/decisions/decide.ts';
import { postIgnoreArea, postIgnoreChange } from './runs/decisions/ignore.ts';
import {
  postAssignees,
  postCancel,
  postComment,
  postCount,
  postDeleteComment,
  postEditComment,
  postPromote,
  postRerun,
  postServers,
} from './runs/decisions/run-forms.ts';
import { getLive, getNews } from './runs/live.ts';
import { getLog } from './runs/log.ts';
import { getChange, getResult, getReview } from './runs/show-result.ts';
import { getResults, getRun, getSummary } from './runs/show-run.ts';
import { getSetup, getSetupCallback } from './setup/connect.ts';
import { getFirstCheck, postFirstCheck } from './setup/first-check.ts';
import { getCreate, getInstalled, postInstalled } from './setup/installed.ts';
import { getCrawl } from './suites/crawl-box.ts';
import {
  getLook,
  getNewSinglePage,
  getNewSuite,
  postLook,
  postNewSinglePage,
  postNewSuite,
} from './suites/create-suite-form.ts';
import { getIgnoredChanges, postRemoveIgnoredArea, postRevokeChange } from './suites/ignored.ts';
import { getSinglePages, getSuites } from './suites/list-suites-page.ts';
import { getRepository, postRepository, postSynchronize, postUnlink } from './suites/repository.ts';
import * as settings from './suites/settings.ts';
import { getTrial, postTrial } from './suites/settings.ts';
import { getLeave, postHandOver, postLeave } from './suites/sharing-form.ts';
import * as sharing from './suites/sharing-form.ts';
import { getSuite } from './suites/show.ts';
import { getSiteAccess, postSiteAccess } from './suites/site-access.ts';
import { getStorage, getSuiteStorage } from './suites/storage.ts';
import { postAddPage, postCrawl, postFollow, postPages, postRenewBaselines, postRun } from './suites/suite-forms.ts';
import { getSuiteTokens, postRevokeSuiteToken, postSuiteToken } from './suites/tokens-form.ts';
import type { Route } from './web-route.ts';

/** All routes of the web pages. `/suites/new` comes before `/suites/:id`, which would match it too. */
export const ROUTES: readonly Route[] = [
  getStart,
  getRuns,
  getSearch,
  signIn.getSignIn,
  signIn.postSignIn,
  signIn.getSignInLink,
  signIn.postSignInLink,
  postPasskeySignIn,
  postSignOut,
  signIn.getRegister,
  signIn.postRegister,
  getInvitation,
  postInvitation,
  postRegisterInvited,
  passwordReset.getForgotPassword,
  passwordReset.postForgotPassword,
  passwordReset.getResetPassword,
  passwordReset.postResetPassword,
  account.getAccount,
  account.postName,
  account.postPassword,
  account.postUnlinkAccount,
  postPasskey,
  postRemovePasskey,
  postEndSession,
  postEndOtherSessions,
  postSignOutEverywhere,
  account.postTheme,
  account.postPreferences,
  email.getEmailChoices,
  email.postEmailChoices,
  email.postSuiteEmailChoices,
  email.getUnsubscribe,
  email.postUnsubscribe,
  getTokens,
  postToken,
  postRevokeToken,
  administration.getAccounts,
  administration.getManagedAccount,
  administration.postDisable,
  administration.postEnable,
  administration.postMakeAdministrator,
  administration.postRemoveAdministrator,
  administration.postSignOutAccount,
  administration.postPasswordReset,
  administration.postHandOverAll,
  getSetup,
  getSetupCallback,
  getInstalled,
  postInstalled,
  getCreate,
  getFirstCheck,
  postFirstCheck,
  getSuites,
  getNewSuite,
  postNewSuite,
  postLook,
  getLook,
  getSuite,
  postPages,
  postAddPage,
  postFollow,
  getCrawl,
  postCrawl,
  postRun,
  postRenewBaselines,
  settings.getSettings,
  settings.postSettings,
  settings.getArrangedRules,
  settings.postArrangeRules,
  settings.getTrialForm,
  postTrial,
  getTrial,
  getSiteAccess,
  postSiteAccess,
  settings.postActive,
  settings.postDelete,
  getIgnoredChanges,
  postRevokeChange,
  postRemoveIgnoredArea,
  getStorage,
  getSuiteStorage,
  getSuiteTokens,
  postSuiteToken,
  postRevokeSuiteToken,
  sharing.getSharing,
  sharing.postSharing,
  sharing.postGrant,
  sharing.postRevoke,
  getLeave,
  postLeave,
  postHandOver,
  sharing.postInvitationLink,
  sharing.postWithdrawInvitation,
  getRepository,
  postRepository,
  postUnlink,
  postSynchronize,
  getSinglePages,
  getNewSinglePage,
  postNewSinglePage,
  ...NOTICE_ROUTES,
  ...AUDIT_ROUTES,
  getSuiteRuns,
  getRun,
  getLive,
  getResults,
  getLog,
  getSummary,
  postApprove,
  getReview,
  getChange,
  postUndo,
  postSettingsChange,
  postRequestChanges,
  getNews,
  postComment,
  postEditComment,
  postDeleteComment,
  postCancel,
  postRerun,
  postServers,
  postAssignees,
  getResult,
  postPromote,
  postCount,
  postIgnoreChange,
  postIgnoreArea,
  getPage,
  getCompare,
  postRestore,
];
