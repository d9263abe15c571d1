import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { apiOfGitHub } from '../support/github-people.ts';
import { nock, stubHttp } from '../support/stub-http.ts';
import { newSuite } from '../support/world.ts';
import { worldOf } from './fixture.ts';

stubHttp();

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
});

const ENVIRONMENT = {
  GHE_HOST: 'github.test',
  GHE_PROTOCOL: 'http',
  APP_ID: '42',
  PRIVATE_KEY: privateKey,
  WEBHOOK_SECRET: 'webhook-secret',
  PUBLIC_URL: 'https://gate.example',
};

const PERMISSIONS = {
  checks: 'write',
  contents: 'read',
  deployments: 'read',
  merge_queues: 'read',
  metadata: 'read',
  pull_requests: 'read',
  statuses: 'read',
};
const EVENTS = ['check_run', 'check_suite', 'deployment_status', 'merge_group', 'pull_request', 'repository', 'status'];

let api: TestApi;
let owner: Account;
beforeAll(async () => {
  api = await startTestApi(ENVIRONMENT);
  owner = await api.account('owner');
});
afterEach(async () => {
  nock.cleanAll();
  await api.ctx.db('test_suites').delete();
});
afterAll(async () => {
  await api.stop();
});

async function linkedSuite() {
  const suite = await newSuite(worldOf(api), owner.user, ['/']);
  await api.ctx
    .db('test_suites')
    .where({ id: suite.id })
    .update({ codehost_owner: 'Acme', codehost_repo: 'web', codehost_installation_id: 7 });
  return suite;
}

const UNLINKED = { codehost_owner: null, codehost_repo: null, codehost_installation_id: null };

const examine = async (suiteId: string, token: string | undefined = owner.token) =>
  api.request('GET', `/api/code-host/doctor?suiteId=${suiteId}`, { token });

/** GitHub when everything is set up correctly, except for the branch rules. */
function gitHubWithoutRules(): void {
  const github = apiOfGitHub();
  github
    .post('/api/v3/app/installations/7/access_tokens')
    .reply(201, { token: 'ghs_7', expires_at: new Date(Date.now() + 3_600_000).toISOString(), permissions: {} });
  github.get('/api/v3/app').reply(200, { id: 42, permissions: PERMISSIONS, events: EVENTS });
  github.get('/api/v3/app/installations/7').reply(200, {
    id: 7,
    html_url: 'http://github.test/settings/installations/7',
    permissions: PERMISSIONS,
    events: EVENTS,
    suspended_at: null,
  });
  github.get('/api/v3/app/hook/config').reply(200, { url: 'https://gate.example/api/github/webhooks' });
  github.get('/api/v3/app/hook/deliveries').query(true).reply(200, []);
  github.get('/api/v3/repos/Acme/web').reply(200, { default_branch: 'main' });
}

function wellGitHub(): void {
  gitHubWithoutRules();
  const github = apiOfGitHub();
  github
    .get('/api/v3/repos/Acme/web/rules/branches/main')
    .query(true)
    .reply(200, [
      { type: 'required_status_checks', parameters: { required_status_checks: [{ context: 'build' }] } },
      { type: 'merge_queue', parameters: {} },
    ]);
  github.get('/api/v3/repos/Acme/web/branches/main').reply(200, {
    name: 'main',
    protected: true,
    protection: {
      enabled: true,
      required_status_checks: { contexts: ['Pixelgate'], checks: [{ context: 'Pixelgate', app_id: 42 }] },
    },
  });
}

const statusesOf = (body: { findings: { name: string; status: string }[] }) =>
  Object.fromEntries(body.findings.map(({ name, status }) => [name, status]));

describe('the doctor of a suite', () => {
  it('is for who may read the suite', async () => {
    const suite = await linkedSuite();
    expect((await api.request('GET', `/api/code-host/doctor?suiteId=${suite.id}`)).status).toBe(401);
    expect((await examine('not-an-id')).status).toBe(400);
    expect((await api.request('GET', '/api/code-host/doctor', { token: owner.token })).status).toBe(400);
    expect((await examine(suite.id, (await api.account()).token)).status).toBe(404);
  });

  it('finds all well, with the deliveries and the preview that came and their age', async () => {
    const suite = await linkedSuite();
    const { db, clock } = api.ctx;
    const at = (seconds: number) => new Date(clock.now().getTime() - seconds * 1000);
    const delivery = { installation_id: 7, repository: 'acme/web' };
    await db('webhook_deliveries').insert([
      { ...delivery, id: '1', event: 'pull_request', received_at: at(600) },
      { ...delivery, id: '2', event: 'pull_request', received_at: at(60) },
      { ...delivery, id: '3', event: 'deployment_status', received_at: at(30) },
      { ...delivery, id: '4', event: 'status', repository: 'acme/other', received_at: at(5) },
      { ...delivery, id: '5', event: 'installation', repository: null, received_at: at(900) },
    ]);
    const preview = { owner: 'acme', repo: 'web', head_sha: 'a', source: 'DEPLOYMENT', name: 'Preview' };
    await db('preview_signals').insert({ ...preview, url: 'https://p.example', ready_key: '1', updated_at: at(30) });
    wellGitHub();
    const { status, body } = await examine(suite.id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      testSuiteId: suite.id,
      repository: 'Acme/web',
      checkName: 'Pixelgate',
      status: 'ok',
      lastPreview: { source: 'DEPLOYMENT', name: 'Preview', url: 'https://p.example' },
      signals: [{ source: 'DEPLOYMENT', name: 'Preview', project: null, state: 'READY', use: 'TAKEN' }],
    });
    expect(Object.keys(statusesOf(body))).toHaveLength(13);
    expect(body.deliveries.map(({ event }: { event: string }) => event)).toEqual([
      'deployment_status',
      'pull_request',
      'installation',
    ]);
    const ages = body.deliveries.map(({ ageSeconds }: { ageSeconds: number }) => ageSeconds);
    expect(ages).toEqual([...ages].sort((a, b) => a - b));
    expect(ages[1]).toBeGreaterThanOrEqual(60);
    expect(ages[1]).toBeLessThan(600);
  });

  it.each([403, 404])('takes %i about rules for a branch that has none', async (code) => {
    const suite = await linkedSuite();
    gitHubWithoutRules();
    apiOfGitHub()
      .get(/rules/)
      .reply(code, { message: 'Upgrade to GitHub Pro' })
      .get(/branches/)
      .reply(code, { message: 'Branch not found' });
    const { body } = await examine(suite.id);
    expect(statusesOf(body)).toMatchObject({ installation: 'ok', required_check: 'warning', merge_queue: 'ok' });
  });

  it('says what it can while GitHub is away', async () => {
    const suite = await linkedSuite();
    apiOfGitHub().persist().get(/.*/).reply(502, 'no').post(/.*/).reply(502, 'no');
    const { status, body } = await examine(suite.id);
    expect(status).toBe(200);
    expect(statusesOf(body)).toMatchObject({
      app: 'ok',
      link: 'ok',
      installation: 'warning',
      permissions: 'warning',
      required_check: 'warning',
    });
  });

  it('tells of a private key that is not that of the App, linked or not', async () => {
    const suite = await linkedSuite();
    const answer = { message: 'A JSON web token could not be decoded' };
    apiOfGitHub().persist().get(/.*/).reply(401, answer).post(/.*/).reply(401, answer);
    const { body } = await examine(suite.id);
    expect(body.findings[0]).toMatchObject({
      name: 'app',
      status: 'failed',
      remedy: expect.stringContaining('PRIVATE_KEY'),
    });
    expect(statusesOf(body)).toMatchObject({ installation: 'warning', required_check: 'warning' });
    await api.ctx.db('test_suites').where({ id: suite.id }).update(UNLINKED);
    expect(statusesOf((await examine(suite.id)).body)).toEqual({ app: 'failed', link: 'failed' });
  });

  it('tells of an App that was uninstalled', async () => {
    const suite = await linkedSuite();
    apiOfGitHub().persist().get(/.*/).reply(404, { message: 'Not Found' }).post(/.*/).reply(404, {});
    const { body } = await examine(suite.id);
    expect(body.status).toBe('failed');
    expect(statusesOf(body)).toMatchObject({ installation: 'failed' });
  });

  it('tells of a suite that is not active, and of one that is not linked', async () => {
    const suite = await linkedSuite();
    await api.ctx.db('test_suites').where({ id: suite.id }).update({ is_active: false });
    wellGitHub();
    expect(statusesOf((await examine(suite.id)).body)).toMatchObject({ link: 'failed' });
    await api.ctx.db('test_suites').where({ id: suite.id }).update(UNLINKED);
    expect((await examine(suite.id)).body).toMatchObject({
      repository: null,
      checkName: null,
      status: 'failed',
      findings: [{ name: 'app' }, { name: 'link', status: 'failed' }],
    });
  });

  it('says how to connect where there is no App', async () => {
    const bare = await startTestApi();
    try {
      const { user, token } = await bare.account();
      const suite = await newSuite(worldOf(bare), user, []);
      const { body } = await bare.request('GET', `/api/code-host/doctor?suiteId=${suite.id}`, { token });
      expect(body.findings[0]).toMatchObject({
        name: 'app',
        status: 'failed',
        remedy: expect.stringContaining('/setup'),
      });
    } finally {
      await bare.stop();
    }
  });
});
