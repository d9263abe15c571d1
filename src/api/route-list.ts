import type { Endpoint } from '../http/endpoint.ts';
import * as accounts from './accounts.ts';
import * as administration from './administration.ts';
import type { Operation } from './api-route.ts';
import * as baselines from './baselines.ts';
import * as codeHost from './code-host.ts';
import { getDashboard, getSearch } from './dashboard.ts';
import * as events from './events.ts';
import * as follows from './follows.ts';
import * as ignored from './ignored-changes.ts';
import * as manualRuns from './manual-runs.ts';
import * as builds from './runs/builds.ts';
import * as changes from './runs/changes.ts';
import * as comments from './runs/comments.ts';
import * as summaries from './runs/run-summaries.ts';
import * as runs from './runs/test-runs.ts';
import * as verdicts from './runs/verdicts.ts';
import * as sharing from './sharing.ts';
import * as siteAccess from './site-access.ts';
import * as looks from './site-looks.ts';
import * as pages from './site-pages.ts';
import * as storage from './storage.ts';
import * as targets from './targets.ts';
import * as suites from './test-suites.ts';
import * as tokens from './tokens.ts';

/** `tag`: the heading of the document that it is under. */
export type Route = Endpoint & Operation & { tag: string };

const at = (method: Endpoint['method']) => (path: string, operation: Operation) => ({ ...operation, method, path });
const [get, post, put, patch, remove] = [at('get'), at('post'), at('put'), at('patch'), at('delete')];

const under = (tag: string, routes: Omit<Route, 'tag'>[]): Route[] => routes.map((route) => ({ ...route, tag }));

/** Every operation of the API. The router and the OpenAPI document are both built from this list. */
export const ROUTES: readonly Route[] = [
  ...under('Accounts', [
    post('/auth/register', accounts.postRegister),
    post('/auth/login', accounts.postLogin),
    post('/auth/logout', accounts.postLogout),
    get('/auth/me', accounts.getMe),
    post('/auth/forgot-password', accounts.postForgotPassword),
    post('/auth/reset-password', accounts.postResetPassword),
    post('/auth/sign-in-link', accounts.postSignInLink),
    get('/auth/github', accounts.getGitHubSignIn),
    get('/auth/github/callback', accounts.getGitHubCallback),
    get('/auth/oidc', accounts.getOidcSignIn),
    get('/auth/oidc/callback', accounts.getOidcCallback),
    get('/email-choices', follows.getEmailChoices),
    patch('/email-choices', follows.patchEmailChoices),
  ]),
  ...under('API tokens', [
    post('/auth/oidc/github', tokens.postWorkflowToken),
    get('/tokens', tokens.getTokens),
    post('/tokens', tokens.postToken),
    remove('/tokens/:tokenId', tokens.deleteToken),
    get('/test-suites/:id/tokens', tokens.getSuiteTokens),
    post('/test-suites/:id/tokens', tokens.postSuiteToken),
    remove('/test-suites/:id/tokens/:tokenId', tokens.deleteSuiteToken),
  ]),
  ...under('Administration', [
    get('/admin/accounts', administration.getAccounts),
    get('/admin/accounts/:accountId', administration.getAccount),
    patch('/admin/accounts/:accountId', administration.patchAccount),
    post('/admin/accounts/:accountId/sign-out', administration.postSignOut),
    post('/admin/accounts/:accountId/password-reset', administration.postPasswordReset),
    post('/admin/accounts/:accountId/hand-over', administration.postHandOver),
  ]),
  ...under('Dashboard', [get('/dashboard', getDashboard), get('/search', getSearch)]),
  ...under('Test suites', [
    post('/site-looks', looks.postSiteLook),
    get('/site-looks/:id', looks.getSiteLook),
    get('/test-suites', suites.getTestSuites),
    post('/test-suites', suites.postTestSuite),
    get('/test-suites/:id', suites.getTestSuite),
    patch('/test-suites/:id', suites.patchTestSuite),
    remove('/test-suites/:id', suites.deleteTestSuite),
    get('/test-suites/:id/follow', follows.getFollow),
    put('/test-suites/:id/follow', follows.putFollow),
    remove('/test-suites/:id/follow', follows.deleteFollow),
    post('/test-suites/:id/run', suites.postRun),
    post('/test-suites/:id/crawl', suites.postCrawl),
    get('/test-suites/:id/crawl', suites.getCrawl),
  ]),
  ...under('Builds', [
    post('/test-suites/:id/builds', builds.postBuild),
    get('/test-suites/:id/builds/:buildId', builds.getBuild),
  ]),
  ...under('Pages', [
    get('/test-suites/:id/pages', pages.getPages),
    patch('/test-suites/:id/pages', pages.patchPages),
    post('/test-suites/:id/pages', pages.postPage),
    get('/test-suites/:id/pages/:pageId', pages.getPage),
    get('/test-suites/:id/pages/:pageId/history', pages.getPageHistory),
    get('/test-suites/:id/screenshot', pages.getScreenshot),
  ]),
  ...under('Sharing', [
    get('/test-suites/:id/access', sharing.getAccess),
    post('/test-suites/:id/access', sharing.postAccess),
    patch('/test-suites/:id/access/:grantId', sharing.patchGrant),
    remove('/test-suites/:id/access/:grantId', sharing.deleteGrant),
    post('/test-suites/:id/leave', sharing.postLeave),
    post('/test-suites/:id/hand-over', sharing.postHandOver),
    get('/test-suites/:id/invitations', sharing.getInvitations),
    post('/test-suites/:id/invitations', sharing.postInvitation),
    remove('/test-suites/:id/invitations/:invitationId', sharing.deleteInvitation),
    post('/invitations/accept', sharing.postAcceptInvitation),
  ]),
  ...under('Webhooks and channels', [
    get('/test-suites/:id/targets', targets.getSuiteTargets),
    post('/test-suites/:id/targets', targets.postSuiteTarget),
    get('/targets', targets.getTargets),
    post('/targets', targets.postTarget),
    patch('/targets/:targetId', targets.patchTarget),
    remove('/targets/:targetId', targets.removeTarget),
    post('/targets/:targetId/secret', targets.postTargetSecret),
    post('/targets/:targetId/test', targets.postTargetTest),
    get('/targets/:targetId/deliveries', targets.getDeliveries),
    post('/targets/:targetId/deliveries/:deliveryId/send', targets.postDelivery),
  ]),
  ...under('Access to the site', [
    get('/test-suites/:id/site-access', siteAccess.getSiteAccess),
    put('/test-suites/:id/site-access', siteAccess.putSiteAccess),
    remove('/test-suites/:id/site-access', siteAccess.removeSiteAccess),
  ]),
  ...under('Storage', [get('/test-suites/:id/storage', storage.getSuiteStorage), get('/storage', storage.getStorage)]),
  ...under('Ignored changes', [
    get('/test-suites/:id/ignored-changes', ignored.getIgnoredChanges),
    post('/test-suites/:id/ignored-changes', ignored.postIgnoredChange),
    remove('/test-suites/:id/ignored-changes/:ignoredChangeId', ignored.deleteIgnoredChange),
  ]),
  ...under('Events', [get('/events', events.getEvents), get('/events/export', events.getEventsFile)]),
  ...under('Test runs', [
    get('/test-runs', runs.getTestRuns),
    get('/test-runs/:id', runs.getTestRun),
    patch('/test-runs/:id', runs.patchTestRun),
    put('/test-runs/:id/assignees', runs.putAssignees),
    get('/test-runs/:id/logs', runs.getLogs),
    get('/test-runs/:id/results', runs.getResults),
    post('/test-runs/:id/approve-visuals', verdicts.postApproveVisuals),
    post('/test-runs/:id/different-servers', verdicts.postDifferentServers),
    remove('/test-runs/:id/different-servers', verdicts.deleteDifferentServers),
    patch('/test-runs/:id/results/:resultId', verdicts.patchResult),
    get('/test-runs/:id/verdicts', verdicts.getVerdicts),
    post('/test-runs/:id/verdicts', verdicts.postVerdict),
    patch('/test-runs/:id/settings-change', verdicts.patchSettingsChange),
    get('/test-runs/:id/change-requests', verdicts.getChangeRequests),
    get('/test-runs/:id/state', summaries.getState),
    get('/test-runs/:id/summary', summaries.getSummary),
    get('/test-runs/:id/failures', summaries.getFailures),
    get('/test-runs/:id/changes', changes.getChanges),
    get('/test-runs/:id/accessibility', changes.getHeard),
    get('/test-runs/:id/changes/:changeId/variants', changes.getVariants),
    post('/test-runs/:id/changes/:changeId/approve', changes.postApproveChange),
    post('/test-runs/:id/rerun', runs.postRerun),
  ]),
  ...under('Comments', [
    get('/test-runs/:id/comments', comments.getComments),
    post('/test-runs/:id/comments', comments.postComment),
    patch('/test-runs/:id/comments/:commentId', comments.patchComment),
    remove('/test-runs/:id/comments/:commentId', comments.deleteComment),
  ]),
  ...under('Manual runs', [
    get('/manual-runs', manualRuns.getManualRuns),
    post('/manual-runs', manualRuns.postManualRun),
    get('/manual-runs/:id', manualRuns.getManualRun),
    post('/manual-runs/:id/run', manualRuns.postManualRunRun),
  ]),
  ...under('Baselines', [
    get('/baselines', baselines.getBaselines),
    post('/baselines', baselines.postBaseline),
    get('/baselines/:id', baselines.getBaseline),
    get('/baseline-versions', baselines.getVersions),
    post('/baseline-versions/compare', baselines.postCompare),
  ]),
  ...under('Code host', [
    get('/test-suites/:id/pull-requests', codeHost.getPullRequests),
    post('/test-suites/:id/pull-requests', codeHost.postPullRequest),
    get('/code-host/installations', codeHost.getInstallations),
    get('/code-host/repos', codeHost.getRepos),
    get('/code-host/doctor', codeHost.getDoctor),
  ]),
];
