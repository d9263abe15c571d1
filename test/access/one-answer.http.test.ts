import { randomInt, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROUTES as API_ROUTES } from '../../src/api/route-list.ts';
import { issueWorkflowToken } from '../../src/auth/tokens/api-token.ts';
import { createSinglePage } from '../../src/runs/single-page.ts';
import { ROUTES as WEB_ROUTES } from '../../src/web/route-table.ts';
import { worldOf } from '../api/fixture.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { changeOf } from '../support/changes.ts';
import { newSuite } from '../support/world.ts';
import { newScene } from '../web/web-scene.ts';

/* Nobody learns from an answer whether something of others exists. Each route that takes an ID is asked for what there is of
   somebody else, and for what there is not: the status and the words must be the same. */

const NAMES = [
  'suite',
  'run',
  'inFlight',
  'singlePage',
  'baseline',
  'version',
  'lookId',
  'buildId',
  'pageId',
  'grantId',
  'invitationId',
  'tokenId',
  'ignoredChangeId',
  'resultId',
  'commentId',
  'changeId',
  'trialId',
  'linkId',
  'sessionId',
  'passkeyId',
  'accountId',
  'targetId',
  'deliveryId',
] as const;
type Ids = Record<(typeof NAMES)[number], string>;

let api: TestApi;
/** Asks. Owns `own`, and knows nothing of `secret`. */
let ada: Account;
let own: Ids;
let secret: Ids;
const callers = new Map<string, string>();

async function idOf(table: string, row: object): Promise<string> {
  const [made] = await api.ctx.db(table).insert(row).returning('id');
  return String(made.id);
}

async function idsOf(owner: Account, bystander: Account): Promise<Ids> {
  const scene = await newScene(api, { owner, bystander, members: new Map() });
  const { singlePage } = await createSinglePage(api.ctx, owner.user, { url: 'http://site.test/' });
  const comment = { body: 'Looks odd' };
  const asked = await api.request('POST', `/api/test-runs/${scene.runId}/comments`, {
    token: owner.token,
    body: comment,
  });
  const build = { test_suite_id: scene.suite.id, status: 'READY', digest: 'd', files: 1, bytes: 1 };
  const session = await api.ctx.db('sessions').where({ user_id: owner.user.id }).first();
  const look = { user_id: owner.user.id, address: 'http://site.test/', typed: '{}' };
  return {
    suite: scene.suite.id,
    run: scene.runId,
    inFlight: scene.inFlightId,
    singlePage: singlePage.id,
    baseline: scene.baselineId,
    version: scene.versionId,
    lookId: await idOf('site_looks', look),
    buildId: await idOf('builds', build),
    pageId: scene.pageId,
    grantId: scene.grantId,
    invitationId: scene.invitationId,
    tokenId: scene.tokenId,
    ignoredChangeId: scene.ignoredChangeId,
    resultId: scene.changed.id,
    commentId: asked.body.id,
    changeId: changeOf('d').key,
    trialId: scene.trialId,
    linkId: await idOf('accounts', {
      user_id: owner.user.id,
      type: 'oauth',
      provider: 'github',
      provider_account_id: randomUUID(),
    }),
    sessionId: session?.id ?? randomUUID(),
    passkeyId: await idOf('passkeys', {
      user_id: owner.user.id,
      credential_id: randomUUID(),
      public_key: '',
      signatures: 0,
      transports: [],
      name: 'Laptop',
      created_at: new Date(),
    }),
    accountId: owner.user.id,
    targetId: scene.targetId,
    deliveryId: scene.deliveryId,
  };
}

const unknownIds = (): Ids => ({
  suite: randomUUID(),
  run: randomUUID(),
  inFlight: randomUUID(),
  singlePage: randomUUID(),
  baseline: randomUUID(),
  version: randomUUID(),
  lookId: randomUUID(),
  buildId: randomUUID(),
  pageId: randomUUID(),
  grantId: randomUUID(),
  invitationId: randomUUID(),
  tokenId: randomUUID(),
  ignoredChangeId: randomUUID(),
  resultId: randomUUID(),
  commentId: randomUUID(),
  // Made of what has changed, not of chance: nobody's.
  changeId: changeOf('d').key,
  trialId: randomUUID(),
  linkId: randomUUID(),
  sessionId: randomUUID(),
  passkeyId: randomUUID(),
  accountId: randomUUID(),
  targetId: randomUUID(),
  deliveryId: String(randomInt(1_000_000, 9_000_000)),
});

const LIMITS = { repositoryId: 4242, commits: ['a1'.repeat(20)], pullRequest: null };

beforeAll(async () => {
  api = await startTestApi();
  // The first account is an administrator, who may know of all accounts.
  await api.account('administrator');
  ada = await api.account('ada');
  const [bob, carl] = [await api.account('bob'), await api.account('carl')];
  own = await idsOf(ada, carl);
  secret = await idsOf(bob, carl);
  await newSuite(worldOf(api), bob.user, ['/']);
  callers.set('a person', ada.token);
  for (const scopes of [['read', 'run', 'upload'], ['upload']]) {
    const body = { name: 'CI', scopes };
    const { body: made } = await api.request('POST', `/api/test-suites/${own.suite}/tokens`, {
      token: ada.token,
      body,
    });
    callers.set(`a suite's token to ${scopes.join(', ')}`, made.secret);
  }
  const within = { suiteId: own.suite, scopes: ['read', 'run', 'upload'] as const, workflow: LIMITS };
  const grant = { userId: ada.user.id, within };
  const { token } = issueWorkflowToken(api.ctx.config.jwtSecret ?? '', grant, api.ctx.clock.now());
  await api.ctx.db('test_suites').where({ id: own.suite }).update({
    codehost_owner: 'octo',
    codehost_repo: 'site',
    codehost_installation_id: 1,
    codehost_repository_id: LIMITS.repositoryId,
  });
  callers.set("a workflow's token", token);
});
afterAll(async () => api.stop());

type Asked = { method: string; path: string; body?: unknown; form?: Record<string, string> };

/** What the first parameter of an address is the ID of. */
function outerOf(path: string): keyof Ids | null {
  if (/^\/(test-)?suites\/:id/.test(path)) return 'suite';
  if (/^\/(test-)?runs\/:id/.test(path)) return 'run';
  if (path.startsWith('/manual-runs/:id')) return 'singlePage';
  if (path.startsWith('/baselines/:id')) return 'baseline';
  return path.startsWith('/site-looks/:id') || path.startsWith('/suites/looks/:id') ? 'lookId' : null;
}

const isName = (name: string): name is keyof Ids => NAMES.some((known) => known === name);

function fill(path: string, outer: Ids, inner: Ids): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const kind = name === 'id' ? outerOf(path) : name;
    if (kind === null || !isName(kind)) throw new Error(`${path} has an ID that this test does not know: ${name}`);
    return name === 'id' ? outer[kind] : inner[kind];
  });
}

/** What these routes want to be sent, so that they come as far as looking for what is named. */
const BODIES: Record<string, (ids: Ids) => unknown> = {
  'PATCH /test-suites/:id': () => ({ name: 'Mine' }),
  'POST /test-suites/:id/run': ({ buildId }) => ({ buildId }),
  'PATCH /test-suites/:id/pages': ({ pageId }) => ({ action: 'untrack', pageIds: [pageId] }),
  'POST /test-suites/:id/pages': () => ({ path: '/new' }),
  'POST /test-suites/:id/access': () => ({ email: 'carl@example.com', role: 'VIEWER' }),
  'PATCH /test-suites/:id/access/:grantId': () => ({ role: 'ADMIN' }),
  'POST /test-suites/:id/invitations': () => ({ role: 'VIEWER' }),
  'PUT /test-runs/:id/assignees': () => ({ userIds: [] }),
  'POST /test-suites/:id/tokens': () => ({ name: 'CI', scopes: ['read'] }),
  'PUT /test-suites/:id/site-access': () => ({ headers: [{ name: 'x-key', value: 'v' }] }),
  'POST /test-suites/:id/ignored-changes': ({ resultId }) => ({ resultId }),
  'PATCH /test-runs/:id': () => ({ action: 'cancel' }),
  'POST /test-runs/:id/approve-visuals': ({ resultId }) => ({ resultIds: [resultId] }),
  'PATCH /test-runs/:id/results/:resultId': () => ({ decision: 'approve', note: 'fine' }),
  'POST /test-runs/:id/verdicts': ({ resultId }) => ({
    decision: 'request_changes',
    resultIds: [resultId],
    note: 'No',
  }),
  'PATCH /test-runs/:id/settings-change': () => ({ decision: 'approve', id: 'ab'.repeat(32) }),
  'POST /test-runs/:id/comments': ({ resultId }) => ({ body: 'Hello', resultId }),
  'PATCH /test-runs/:id/comments/:commentId': () => ({ body: 'Hello' }),
  'POST /test-runs/:id/rerun': () => ({ url: 'http://site.test/broken' }),
  'POST /test-suites/:id/pull-requests': () => ({ number: 7 }),
};

/** IDs in queries and bodies, where the address has none. */
const NAMED: ((ids: Ids) => Asked)[] = [
  ({ suite }) => ({ method: 'GET', path: `/api/test-runs?testSuiteId=${suite}` }),
  ({ suite }) => ({ method: 'GET', path: `/api/baselines?testSuiteId=${suite}` }),
  ({ suite }) => ({ method: 'GET', path: `/api/baseline-versions?suiteId=${suite}` }),
  ({ suite }) => ({ method: 'GET', path: `/api/code-host/doctor?suiteId=${suite}` }),
  ({ resultId }) => ({ method: 'POST', path: '/api/baselines', body: { pageResultId: resultId } }),
  ({ version }) => ({ method: 'POST', path: '/api/baselines', body: { baselineVersionId: version } }),
  ({ version }) => ({
    method: 'POST',
    path: '/api/baseline-versions/compare',
    body: { fromVersionId: own.version, toVersionId: version },
  }),
  ({ version }) => ({
    method: 'POST',
    path: '/api/baseline-versions/compare',
    body: { fromVersionId: version, toVersionId: own.version },
  }),
  ({ resultId }) => ({ method: 'GET', path: `/api/test-runs/${own.run}/comments?resultId=${resultId}` }),
  ({ suite }) => ({ method: 'GET', path: `/api/events?suiteId=${suite}` }),
  ({ run }) => ({ method: 'GET', path: `/api/events/export?runId=${run}` }),
  ({ run }) => ({ method: 'GET', path: `/suites/${own.suite}/audit?run=${run}` }),
  ({ suite }) => ({ method: 'GET', path: `/audit?suite=${suite}` }),
  ({ suite }) => ({ method: 'GET', path: `/suites/new?from=${suite}` }),
  ({ suite }) => ({ method: 'POST', path: '/setup/installed', form: { suiteId: suite, choice: '1 octo/site' } }),
  ({ version }) => ({
    method: 'GET',
    path: `/suites/${own.suite}/pages/${own.pageId}/compare?from=${version}&to=${own.version}`,
  }),
  ({ version }) => ({
    method: 'POST',
    path: `/suites/${own.suite}/pages/${own.pageId}/restore`,
    form: { baselineVersionId: version },
  }),
];

const TARGET = { name: 'Told', url: 'https://hooks.example.com/', listens: 'run.failed', tells: 'ALWAYS' };
const AREA = JSON.stringify({ paths: ['**'], ignore: ['#clock'] });

/** What the forms of these pages send. */
const FORMS: Record<string, (ids: Ids) => Record<string, string>> = {
  '/runs/:id/approve': ({ changeId }) => ({ keys: changeId }),
  '/suites/:id/ignored-areas/remove': () => ({ area: AREA }),
  '/runs/:id/results/:resultId/ignore-area': () => ({ area: 'box 0,0,10,10' }),
  '/runs/:id/request-changes': () => ({ note: 'Too pale' }),
  '/runs/:id/comments': ({ resultId }) => ({ body: 'Looks odd', result: resultId }),
  '/runs/:id/comments/:commentId/edit': () => ({ body: 'Looks odd' }),
  '/suites/:id/pages/:pageId/restore': ({ version }) => ({ baselineVersionId: version }),
  '/suites/:id/follow': () => ({ follow: 'yes' }),
  '/suites/:id/email': () => ({ hears: 'ALL', tells: '' }),
  '/suites/:id/pages': ({ pageId }) => ({ action: 'untrack', page: pageId }),
  '/suites/:id/add-page': () => ({ address: '/by-hand' }),
  '/suites/:id/settings': () => ({ name: 'New', baseUrl: 'http://site.test' }),
  '/suites/:id/settings/rules': () => ({ arrange: 'add' }),
  '/suites/:id/settings/try': () => ({
    name: 'New',
    baseUrl: 'http://site.test',
    trialPath: '/',
    trialViewport: 'desktop',
  }),
  '/suites/:id/access': () => ({ form: 'vercel', 'vercel.secret': 'bypass' }),
  '/suites/:id/active': () => ({ active: 'no' }),
  '/suites/:id/sharing': () => ({ email: 'carl@example.com', role: 'EDITOR' }),
  '/suites/:id/sharing/:grantId': () => ({ role: 'EDITOR' }),
  '/suites/:id/invitations': () => ({ role: 'EDITOR' }),
  '/suites/:id/repository': () => ({ owner: 'octo', repo: 'site', installationId: '1' }),
  '/suites/:id/first-check': () => ({ number: '7' }),
  '/suites/:id/tokens': () => ({ name: 'CI', expiresInDays: '30', scopes: 'read' }),
  '/suites/:id/notices': () => ({ ...TARGET, kind: 'WEBHOOK' }),
  '/suites/:id/notices/:targetId': () => TARGET,
  '/notices/:targetId': () => TARGET,
  '/suites/:id/delete': () => ({ confirm: 'New' }),
};

type Route = { name: string; ask: (outer: Ids, inner: Ids) => Asked };

const hasId = ({ path }: { path: string }) => path.includes('/:') && !path.includes('/:token');

const OF_API: Route[] = API_ROUTES.filter(hasId).map(({ method, path }) => {
  const name = `${method.toUpperCase()} ${path}`;
  const body = BODIES[name];
  const ask = (outer: Ids, inner: Ids) => ({
    method: method.toUpperCase(),
    path: `/api${fill(path, outer, inner)}`,
    ...(body === undefined ? {} : { body: body(inner) }),
  });
  return { name: `/api ${name}`, ask };
});

const OF_WEB: Route[] = WEB_ROUTES.filter(hasId).map(({ method, path }) => {
  const form = FORMS[path] ?? (() => ({}));
  const ask = (outer: Ids, inner: Ids) => ({
    method: method.toUpperCase(),
    path: fill(path, outer, inner),
    ...(method === 'post' ? { form: form(inner) } : {}),
  });
  return { name: `${method.toUpperCase()} ${path}`, ask };
});

async function answerTo({ method, path, body, form }: Asked, token: string | undefined) {
  if (path.startsWith('/api/')) return api.request(method, path, { token, body });
  const headers = { accept: 'text/html', origin: api.url };
  if (form === undefined) return api.request(method, path, { token, headers });
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return api.request(method, path, {
    token,
    raw: new URLSearchParams(form).toString(),
    headers: { ...headers, ...type },
  });
}

/** Without the IDs, which were asked for, and what is different in each answer. */
function wordsOf(body: unknown, ids: Ids[]): string {
  const text = JSON.stringify(body);
  const named = ids.flatMap((all) => Object.values(all)).filter((id) => id.length > 10);
  return named.reduce((words, id) => words.replaceAll(id, 'ID'), text).replaceAll(/nonce=\\"[^"]+"/g, '');
}

async function expectOneAnswer(there: Asked, notThere: Asked, unknown: Ids): Promise<number> {
  const statuses: number[] = [];
  for (const [caller, token] of callers) {
    const [one, other] = [await answerTo(there, token), await answerTo(notThere, token)];
    const [told, toldElsewhere] = [one, other].map(({ status, headers, body }) => ({
      caller,
      status,
      location: wordsOf(headers.get('location'), [secret, unknown]),
      words: wordsOf(body, [secret, unknown]),
    }));
    expect(told).toEqual(toldElsewhere);
    statuses.push(one.status);
  }
  return statuses[0] ?? 0;
}

describe.each([...OF_API, ...OF_WEB])('$name', ({ ask }) => {
  it('answers the same about what is of others as about what is not there', async () => {
    const unknown = unknownIds();
    // A few only send somewhere else, or read the form first. Accounts are for administrators, whatever is asked for.
    expect([303, 400, 403, 404]).toContain(await expectOneAnswer(ask(secret, secret), ask(unknown, unknown), unknown));
    const [within, notWithin] = [ask(own, secret), ask(own, unknown)];
    // Nothing of others is named where all IDs are of the suite or the run.
    if (!isDeepStrictEqual(within, notWithin)) await expectOneAnswer(within, notWithin, unknown);
  });
});

describe.each(NAMED.map((ask) => ({ ask })))('an ID that is sent', ({ ask }) => {
  it('is answered the same whether it is of others or of nothing', async () => {
    const unknown = unknownIds();
    expect(await expectOneAnswer(ask(secret), ask(unknown), unknown)).toBeGreaterThan(0);
  });
});
