import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SUITE_ROLES, type SuiteRole } from '../../src/access/role.ts';
import { ROUTES } from '../../src/api/route-list.ts';
import { createSinglePage } from '../../src/runs/single-page.ts';
import { startTestApi, type Account, type Sent, type TestApi } from '../support/api-client.ts';
import { changeOf, storeChanges } from '../support/changes.ts';
import { screenshot } from '../support/world.ts';
import { halfBlack, runInFlight, setStage, share, worldOf, type Stage as SuiteStage } from './fixture.ts';

/** Adds a single page that is shared with the same people as the suite. */
type Stage = SuiteStage & {
  singlePageId: string;
  ignoredChangeId?: string;
  tokenId?: string;
  buildId?: string;
  invitationId?: string;
};

/** Written by hand: who may call what on a suite. */
type Operation = {
  name: string;
  least: SuiteRole;
  status: number;
  call: (stage: Stage) => [method: string, path: string, body?: unknown];
  /** Runs before a call that should succeed. */
  prepare?: (stage: Stage) => Promise<Partial<Stage>>;
};

let api: TestApi;
let owner: Account;
let bystander: Account;
const people = new Map<string, Account>();
beforeAll(async () => {
  api = await startTestApi();
  owner = await api.account('owner');
  bystander = await api.account('bystander');
  for (const name of ['stranger', ...SUITE_ROLES]) people.set(name, await api.account(name));
  people.set('owner', owner);
});
afterAll(async () => {
  await api.stop();
});

const suitePath = (stage: Stage, rest = '') => `/api/test-suites/${stage.suite.id}${rest}`;
const runPath = (stage: Stage, rest = '') => `/api/test-runs/${stage.runId}${rest}`;

const READS: Omit<Operation, 'least' | 'status'>[] = [
  { name: 'read the suite', call: (s) => ['GET', suitePath(s)] },
  { name: 'read whether they follow it', call: (s) => ['GET', suitePath(s, '/follow')] },
  { name: 'follow it', call: (s) => ['PUT', suitePath(s, '/follow')] },
  { name: 'stop following it', call: (s) => ['DELETE', suitePath(s, '/follow')] },
  { name: 'list its pages', call: (s) => ['GET', suitePath(s, '/pages')] },
  { name: 'read a page', call: (s) => ['GET', suitePath(s, `/pages/${s.pageId}`)] },
  { name: "read a page's history", call: (s) => ['GET', suitePath(s, `/pages/${s.pageId}/history`)] },
  { name: 'list ignored changes', call: (s) => ['GET', suitePath(s, '/ignored-changes')] },
  { name: 'read what is stored of it', call: (s) => ['GET', suitePath(s, '/storage')] },
  { name: 'see who has access', call: (s) => ['GET', suitePath(s, '/access')] },
  { name: 'list its runs', call: (s) => ['GET', `/api/test-runs?testSuiteId=${s.suite.id}`] },
  { name: 'read a run', call: (s) => ['GET', runPath(s)] },
  { name: "read a run's log", call: (s) => ['GET', runPath(s, '/logs')] },
  { name: "read a run's results", call: (s) => ['GET', runPath(s, '/results')] },
  { name: "list a run's verdicts", call: (s) => ['GET', runPath(s, '/verdicts')] },
  { name: "list a run's requests for changes", call: (s) => ['GET', runPath(s, '/change-requests')] },
  { name: 'list its events', call: (s) => ['GET', `/api/events?suiteId=${s.suite.id}`] },
  { name: 'download its events', call: (s) => ['GET', `/api/events/export?suiteId=${s.suite.id}`] },
  { name: "list a run's events", call: (s) => ['GET', `/api/events?runId=${s.runId}`] },
  { name: "list a run's comments", call: (s) => ['GET', runPath(s, '/comments')] },
  { name: 'list what assistive technology hears', call: (s) => ['GET', runPath(s, '/accessibility')] },
  { name: 'wait for a run', call: (s) => ['GET', runPath(s, '/state')] },
  { name: 'read why a run failed', call: (s) => ['GET', runPath(s, '/failures')] },
  {
    name: 'read the history of a screenshot',
    call: (s) => ['GET', suitePath(s, `/screenshot?path=/changed&viewport=${s.changed.viewport}`)],
  },
  { name: 'read what a run found', call: (s) => ['GET', runPath(s, '/summary')] },
  { name: "list a run's changes", call: (s) => ['GET', runPath(s, '/changes')] },
  {
    name: "list a change's variants",
    call: (s) => ['GET', runPath(s, `/changes/${changeOf('d').key}/variants`)],
  },
  { name: 'list its baselines', call: (s) => ['GET', `/api/baselines?testSuiteId=${s.suite.id}`] },
  { name: 'read a baseline', call: (s) => ['GET', `/api/baselines/${s.baselineId}`] },
  { name: 'read a manual run', call: (s) => ['GET', `/api/manual-runs/${s.singlePageId}`] },
  { name: 'list baseline versions', call: (s) => ['GET', `/api/baseline-versions?suiteId=${s.suite.id}`] },
  {
    name: 'compare versions',
    call: (s) => ['POST', '/api/baseline-versions/compare', { fromVersionId: s.versionId, toVersionId: s.versionId }],
  },
];

const CHANGES: Operation[] = [
  {
    name: 'approve visuals',
    least: 'REVIEWER',
    status: 200,
    call: (s) => ['POST', runPath(s, '/approve-visuals')],
  },
  {
    name: 'say that preview and site are different servers',
    least: 'REVIEWER',
    // The run on the stage is of the site itself.
    status: 409,
    call: (s) => ['POST', runPath(s, '/different-servers')],
  },
  {
    name: 'take back that preview and site are different servers',
    least: 'REVIEWER',
    status: 409,
    call: (s) => ['DELETE', runPath(s, '/different-servers')],
  },
  {
    name: 'decide about a result',
    least: 'REVIEWER',
    status: 200,
    call: (s) => ['PATCH', runPath(s, `/results/${s.changed.id}`), { decision: 'approve', note: 'fine' }],
  },
  {
    name: 'request changes',
    least: 'REVIEWER',
    status: 200,
    call: (s) => ['POST', runPath(s, '/verdicts'), { decision: 'request_changes', note: 'Too pale' }],
  },
  {
    name: 'decide about settings, of which none are changed',
    least: 'REVIEWER',
    status: 409,
    call: (s) => ['PATCH', runPath(s, '/settings-change'), { decision: 'approve' }],
  },
  {
    name: 'assign it',
    least: 'REVIEWER',
    status: 200,
    call: (s) => ['PUT', runPath(s, '/assignees'), { userIds: [owner.user.id] }],
  },
  {
    name: 'comment',
    least: 'VIEWER',
    status: 201,
    call: (s) => ['POST', runPath(s, '/comments'), { resultId: s.changed.id, body: 'Looks odd' }],
  },
  {
    name: 'approve a change',
    least: 'REVIEWER',
    status: 200,
    call: (s) => ['POST', runPath(s, `/changes/${changeOf('d').key}/approve`)],
    prepare: async (s) => {
      await api.ctx.storage.put(screenshot(s.suite, 'b'), halfBlack(4));
      await storeChanges(worldOf(api).db, [s.changed], { '/changed': 'd' });
      return {};
    },
  },
  {
    name: 'ignore a change',
    least: 'REVIEWER',
    status: 201,
    call: (s) => ['POST', suitePath(s, '/ignored-changes'), { resultId: s.changed.id }],
  },
  {
    name: 'stop ignoring a change',
    least: 'REVIEWER',
    status: 200,
    call: (s) => ['DELETE', suitePath(s, `/ignored-changes/${s.ignoredChangeId ?? s.suite.id}`)],
    prepare: async (s) => {
      const { body } = await api.request('POST', suitePath(s, '/ignored-changes'), {
        token: owner.token,
        body: { resultId: s.changed.id },
      });
      return { ignoredChangeId: body.id };
    },
  },
  {
    name: 'promote through the baselines API',
    least: 'REVIEWER',
    status: 201,
    call: (s) => ['POST', '/api/baselines', { pageResultId: s.changed.id }],
  },
  {
    name: 'upload a build',
    least: 'EDITOR',
    // This is none: whoever may not upload learns that first.
    status: 422,
    call: (s) => ['POST', suitePath(s, '/builds'), {}],
  },
  {
    name: 'read a build',
    least: 'VIEWER',
    status: 200,
    call: (s) => ['GET', suitePath(s, `/builds/${s.buildId ?? s.suite.id}`)],
    prepare: async (s) => {
      const [build] = await api.ctx
        .db('builds')
        .insert({ test_suite_id: s.suite.id, status: 'READY', digest: 'd', files: 1, bytes: 1 })
        .returning('id');
      return { buildId: build.id };
    },
  },
  { name: 'run it', least: 'EDITOR', status: 202, call: (s) => ['POST', suitePath(s, '/run')] },
  {
    name: 'run a manual run again',
    least: 'EDITOR',
    status: 202,
    call: (s) => ['POST', `/api/manual-runs/${s.singlePageId}/run`],
  },
  { name: 'read its crawl', least: 'VIEWER', status: 200, call: (s) => ['GET', suitePath(s, '/crawl')] },
  { name: 'crawl it', least: 'EDITOR', status: 202, call: (s) => ['POST', suitePath(s, '/crawl')] },
  {
    name: 'cancel a run',
    least: 'EDITOR',
    status: 200,
    call: (s) => ['PATCH', runPath(s), { action: 'cancel' }],
    prepare: async (s) => ({ runId: await runInFlight(api, owner, s.suite) }),
  },
  {
    name: 'rerun errors',
    least: 'EDITOR',
    status: 202,
    call: (s) => ['POST', runPath(s, '/rerun'), { url: s.broken.url }],
  },
  {
    name: 'act on pages',
    least: 'EDITOR',
    status: 200,
    call: (s) => ['PATCH', suitePath(s, '/pages'), { action: 'untrack', pageIds: [s.pageId] }],
  },
  {
    name: 'add a page',
    least: 'EDITOR',
    status: 201,
    call: (s) => ['POST', suitePath(s, '/pages'), { path: '/by-hand' }],
  },
  {
    name: 'change name and config',
    least: 'EDITOR',
    status: 200,
    call: (s) => ['PATCH', suitePath(s), { name: 'New', config: { maxPages: 7 } }],
  },
  {
    name: 'switch it off',
    least: 'ADMIN',
    status: 200,
    call: (s) => ['PATCH', suitePath(s), { isActive: false }],
  },
  {
    name: 'unlink its repository',
    least: 'ADMIN',
    status: 200,
    call: (s) => ['PATCH', suitePath(s), { codehost: null }],
  },
  {
    name: 'share it',
    least: 'ADMIN',
    status: 201,
    call: (s) => ['POST', suitePath(s, '/access'), { userId: bystander.user.id, role: 'EDITOR' }],
  },
  {
    name: 'change a grant',
    least: 'ADMIN',
    status: 200,
    call: (s) => ['PATCH', suitePath(s, `/access/${s.grantId}`), { role: 'EDITOR' }],
  },
  {
    name: 'revoke a grant',
    least: 'ADMIN',
    status: 200,
    call: (s) => ['DELETE', suitePath(s, `/access/${s.grantId}`)],
  },
  { name: 'list its invitations', least: 'ADMIN', status: 200, call: (s) => ['GET', suitePath(s, '/invitations')] },
  {
    name: 'invite to it',
    least: 'ADMIN',
    status: 201,
    call: (s) => ['POST', suitePath(s, '/invitations'), { role: 'EDITOR' }],
  },
  {
    name: 'withdraw an invitation',
    least: 'ADMIN',
    status: 200,
    call: (s) => ['DELETE', suitePath(s, `/invitations/${s.invitationId ?? s.suite.id}`)],
    prepare: async (s) => {
      const { body } = await api.request('POST', suitePath(s, '/invitations'), { token: owner.token, body: {} });
      return { invitationId: body.invitation.id };
    },
  },
  {
    name: 'see which access to its site there is',
    least: 'ADMIN',
    status: 200,
    call: (s) => ['GET', suitePath(s, '/site-access')],
  },
  {
    name: 'change the access to its site',
    least: 'ADMIN',
    status: 200,
    call: (s) => ['PUT', suitePath(s, '/site-access'), { vercel: { secret: 'bypass' } }],
  },
  {
    name: 'remove the access to its site',
    least: 'ADMIN',
    status: 200,
    call: (s) => ['DELETE', suitePath(s, '/site-access')],
    prepare: async (s) => {
      await api.request('PUT', suitePath(s, '/site-access'), {
        token: owner.token,
        body: { vercel: { secret: 'bypass' } },
      });
      return {};
    },
  },
  // No repository is linked: see github-doctor.long.process.test.ts.
  {
    name: 'list open pull requests',
    least: 'EDITOR',
    status: 409,
    call: (s) => ['GET', suitePath(s, '/pull-requests')],
  },
  {
    name: 'check an open pull request',
    least: 'EDITOR',
    status: 409,
    call: (s) => ['POST', suitePath(s, '/pull-requests'), { number: 7 }],
  },
  { name: 'list its targets', least: 'ADMIN', status: 200, call: (s) => ['GET', suitePath(s, '/targets')] },
  {
    name: 'tell a webhook of it',
    least: 'ADMIN',
    status: 201,
    call: (s) => [
      'POST',
      suitePath(s, '/targets'),
      { kind: 'WEBHOOK', name: 'Ours', url: 'https://hooks.example.com/a' },
    ],
  },
  { name: 'list its tokens', least: 'ADMIN', status: 200, call: (s) => ['GET', suitePath(s, '/tokens')] },
  {
    name: 'make a token of it',
    least: 'ADMIN',
    status: 201,
    call: (s) => ['POST', suitePath(s, '/tokens'), { name: 'CI', scopes: ['read'] }],
  },
  {
    name: 'revoke a token of it',
    least: 'ADMIN',
    status: 200,
    call: (s) => ['DELETE', suitePath(s, `/tokens/${s.tokenId ?? s.suite.id}`)],
    prepare: async (s) => {
      const { body } = await api.request('POST', suitePath(s, '/tokens'), {
        token: owner.token,
        body: { name: 'CI', scopes: ['read'] },
      });
      return { tokenId: body.token.id };
    },
  },
  { name: 'delete it', least: 'ADMIN', status: 200, call: (s) => ['DELETE', suitePath(s)] },
];

/** What needs no role on a suite. */
const ROLELESS = [
  'POST /auth/register',
  'POST /auth/login',
  'POST /auth/logout',
  'GET /auth/me',
  'POST /auth/forgot-password',
  'POST /auth/reset-password',
  'POST /auth/sign-in-link',
  // One's own: see tokens.http.test.ts.
  'POST /site-looks',
  'GET /site-looks/:id',
  // Of administrators: see storage.http.test.ts.
  'GET /storage',
  // Of administrators, and of the owner: see administration.http.test.ts.
  'GET /admin/accounts',
  'GET /admin/accounts/:accountId',
  'PATCH /admin/accounts/:accountId',
  'POST /admin/accounts/:accountId/sign-out',
  'POST /admin/accounts/:accountId/password-reset',
  'POST /admin/accounts/:accountId/hand-over',
  'POST /test-suites/:id/leave',
  'POST /test-suites/:id/hand-over',
  'GET /email-choices',
  'PATCH /email-choices',
  'GET /tokens',
  'POST /tokens',
  'DELETE /tokens/:tokenId',
  // Of their author: see verdicts.http.test.ts.
  'PATCH /test-runs/:id/comments/:commentId',
  'DELETE /test-runs/:id/comments/:commentId',
  'GET /auth/github',
  'GET /auth/github/callback',
  'GET /auth/oidc',
  'GET /auth/oidc/callback',
  // Of administrators, or of the admins of its suite: see targets.http.test.ts.
  'GET /targets',
  'POST /targets',
  'PATCH /targets/:targetId',
  'DELETE /targets/:targetId',
  'POST /targets/:targetId/secret',
  'POST /targets/:targetId/test',
  'GET /targets/:targetId/deliveries',
  'POST /targets/:targetId/deliveries/:deliveryId/send',
  // Of whoever has the link: see invitations.http.test.ts.
  'POST /invitations/accept',
  // Of a workflow: see workflow-tokens.http.test.ts.
  'POST /auth/oidc/github',
  'GET /dashboard',
  'GET /search',
  'GET /test-suites',
  'POST /test-suites',
  'GET /manual-runs',
  'POST /manual-runs',
  'GET /code-host/installations',
  'GET /code-host/repos',
  // Only for suites that are linked to a repository: see doctor.http.test.ts.
  'GET /code-host/doctor',
];

const CALLERS = ['anonymous', 'stranger', ...SUITE_ROLES, 'owner'] as const;
type Caller = (typeof CALLERS)[number];

/** Only for calls that change nothing. */
let unchanged: Promise<Stage> | undefined;
async function sharedStage(): Promise<Stage> {
  unchanged ??= stageForAll();
  return unchanged;
}

async function stageForAll(): Promise<Stage> {
  const stage = await setStage(api, owner, bystander);
  await api.ctx.storage.put(screenshot(stage.suite, 'a'), halfBlack(0));
  await storeChanges(worldOf(api).db, [stage.changed], { '/changed': 'd' });
  const { singlePage } = await createSinglePage(api.ctx, owner.user, { url: 'http://site.test/' });
  for (const role of SUITE_ROLES) {
    const person = people.get(role);
    if (person === undefined) continue;
    await share(api, stage.suite, owner, person, role);
    await share(api, singlePage, owner, person, role);
  }
  return { ...stage, singlePageId: singlePage.id };
}

function expectedStatus({ least, status }: Operation, caller: Caller): number {
  if (caller === 'anonymous') return 401;
  if (caller === 'stranger') return 404;
  if (caller === 'owner') return status;
  return SUITE_ROLES.indexOf(caller) >= SUITE_ROLES.indexOf(least) ? status : 403;
}

async function call(operation: Operation, stage: Stage, caller: Caller): Promise<number> {
  const [method, path, body] = operation.call(stage);
  const sent: Sent = { token: people.get(caller)?.token, body };
  return (await api.request(method, path, sent)).status;
}

/** What a refused caller must not have changed. */
async function contentsOf({ suite, singlePageId }: Stage): Promise<unknown> {
  const { db } = api.ctx;
  const runs = db('test_runs').whereIn('test_suite_id', [suite.id, singlePageId]);
  return Promise.all([
    db('test_suites').where({ id: suite.id }).select(),
    db('site_pages').where({ test_suite_id: suite.id }).orderBy('id').select(),
    db('test_suite_grants').where({ test_suite_id: suite.id }).orderBy('id').select(),
    db('suite_invitations').where({ test_suite_id: suite.id }).orderBy('id').select(),
    db('baseline_versions').where({ test_suite_id: suite.id }).orderBy('id').select(),
    runs.clone().orderBy('id').select(),
    db('page_results').whereIn('test_run_id', runs.clone().select('id')).orderBy('id').select(),
    db('run_assignees').whereIn('test_run_id', runs.clone().select('id')).select(),
  ]);
}

/** The row that serves a request. */
function rowFor([method, path]: [method: string, path: string, body?: unknown]): string {
  const row = ROUTES.find((route) => {
    const pattern = new RegExp(`^/api${route.path.replaceAll(/:\w+/g, '[0-9a-f-]{32,36}')}$`);
    return route.method.toUpperCase() === method && pattern.test(path.split('?')[0] ?? '');
  });
  return row === undefined ? `no row: ${method} ${path}` : `${method} ${row.path}`;
}

it('has every row of the API in one of the tables of this test', async () => {
  const stage = await sharedStage();
  const here = [...[...READS, ...CHANGES].map(({ call: request }) => rowFor(request(stage))), ...ROLELESS];
  const there = ROUTES.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(there.toSorted()).toEqual([...new Set(here)].toSorted());
});

describe('to make a sign-in link', () => {
  it.each(CALLERS)('%s needs no role, but an account', async (caller) => {
    const { status } = await api.request('POST', '/api/auth/sign-in-link', { token: people.get(caller)?.token });
    expect(status).toBe(caller === 'anonymous' ? 401 : 201);
  });
});

describe.each(READS)('to $name', (read) => {
  const operation: Operation = { ...read, least: 'VIEWER', status: 200 };
  it.each(CALLERS)('%s is answered by role', async (caller) => {
    expect(await call(operation, await sharedStage(), caller)).toBe(expectedStatus(operation, caller));
  });
});

describe.each(CHANGES)('to $name', (operation) => {
  const refused = CALLERS.filter((caller) => expectedStatus(operation, caller) !== operation.status);

  it(`is refused to ${refused.join(', ')}, and nothing changes`, async () => {
    const stage = await sharedStage();
    const before = await contentsOf(stage);
    for (const caller of refused) {
      expect([caller, await call(operation, stage, caller)]).toEqual([caller, expectedStatus(operation, caller)]);
    }
    expect(await contentsOf(stage)).toEqual(before);
  });

  it(`is open to ${operation.least}`, async () => {
    const stage = await stageForAll();
    const prepared = { ...stage, ...(await operation.prepare?.(stage)) };
    expect(await call(operation, prepared, operation.least)).toBe(operation.status);
  });
});
