import type { Route } from '../web-route.ts';
import { getCrawl } from './crawl-box.ts';
import { getNewSinglePage, postNewSinglePage } from './create-single-page.ts';
import { getLook, getNewSuite, postLook, postNewSuite } from './create-suite-form.ts';
import { getIgnoredChanges, postRemoveIgnoredArea, postRevokeChange } from './ignored.ts';
import { postInvitationLink, postWithdrawInvitation } from './invitation-forms.ts';
import { getLeave, postHandOver, postLeave } from './leave.ts';
import { getSinglePages, getSuites } from './list-suites-page.ts';
import { postAddPage, postPages } from './page-actions.ts';
import { getRepository, postRepository, postSynchronize, postUnlink } from './repository.ts';
import { getArrangedRules, getSettings, postActive, postArrangeRules, postDelete, postSettings } from './settings.ts';
import { getSharing, postGrant, postRevoke, postSharing } from './sharing-form.ts';
import { getSuite } from './show.ts';
import { getSiteAccess, postSiteAccess } from './site-access.ts';
import { getStorage, getSuiteStorage } from './storage.ts';
import { postCrawl, postFollow, postRenewBaselines, postRun } from './suite-forms.ts';
import { getSuiteTokens, postRevokeSuiteToken, postSuiteToken } from './tokens-form.ts';
import { getTrial, getTrialForm, postTrial } from './trial.ts';

/** `/suites/new` comes before `/suites/:id`, which would match it too. */
export const SUITE_ROUTES: readonly Route[] = [
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
  getSettings,
  postSettings,
  getArrangedRules,
  postArrangeRules,
  getTrialForm,
  postTrial,
  getTrial,
  getSiteAccess,
  postSiteAccess,
  postActive,
  postDelete,
  getIgnoredChanges,
  postRevokeChange,
  postRemoveIgnoredArea,
  getStorage,
  getSuiteStorage,
  getSuiteTokens,
  postSuiteToken,
  postRevokeSuiteToken,
  getSharing,
  postSharing,
  postGrant,
  postRevoke,
  getLeave,
  postLeave,
  postHandOver,
  postInvitationLink,
  postWithdrawInvitation,
  getRepository,
  postRepository,
  postUnlink,
  postSynchronize,
  getSinglePages,
  getNewSinglePage,
  postNewSinglePage,
];
