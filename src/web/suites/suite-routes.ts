import type { Route } from '../web-route.ts';
import { getArrangedRules, postArrangeRules } from './arrange-rules.ts';
import { postAddPage, postPages } from './page-actions.ts';
import { getCrawl } from './crawl-box.ts';
import { getLook, getNewSuite, postLook, postNewSuite } from './create-suite-form.ts';
import { getNewSinglePage, postNewSinglePage } from './create-single-page.ts';
import { getSinglePages, getSuites } from './list-suites-page.ts';
import { postFollow, postRenewBaselines, postRun, postCrawl } from './suite-forms.ts';
import { postRemoveIgnoredArea, getIgnoredChanges, postRevokeChange } from './ignored.ts';
import { postInvitationLink, postWithdrawInvitation } from './invitation-forms.ts';
import { getRepository, postRepository, postSynchronize, postUnlink } from './repository.ts';
import { getSettings, postActive, postDelete, postSettings } from './settings.ts';
import { getSiteAccess, postSiteAccess } from './site-access.ts';
import { getLeave, postHandOver, postLeave } from './leave.ts';
import { getSharing, postGrant, postRevoke, postSharing } from './sharing-form.ts';
import { getSuite } from './show.ts';
import { getStorage, getSuiteStorage } from './storage.ts';
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
