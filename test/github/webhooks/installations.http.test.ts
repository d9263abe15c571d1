import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { findInstallation } from '../../../src/github/app/installation-store.ts';
import { refreshInstallation } from '../../../src/github/app/refresh-installation.ts';
import { startTestApi, type TestApi } from '../../support/api-client.ts';
import { APP_ENVIRONMENT, deliveryHeaders } from '../../support/github-app.ts';
import { nock, stubHttp } from '../../support/stub-http.ts';
import { handleDeliveries } from '../../support/take-deliveries.ts';

stubHttp();

const GITHUB = 'http://github.test';
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ ...APP_ENVIRONMENT, GHE_HOST: 'github.test', GHE_PROTOCOL: 'http' });
});
afterEach(() => {
  nock.cleanAll();
});
afterAll(async () => {
  await api.stop();
});

let id = 100;
beforeEach(() => {
  id += 1;
});

const full = (names: string[]) => names.map((name) => ({ full_name: name }));
const installation = (facts: Record<string, unknown> = {}) => ({
  id,
  account: { login: 'Octo', type: 'Organization' },
  permissions: { checks: 'write', contents: 'read' },
  events: ['pull_request'],
  suspended_at: null,
  updated_at: '2026-01-01T00:00:00Z',
  ...facts,
});

async function deliver(event: string, payload: object): Promise<void> {
  const body = JSON.stringify(payload);
  const headers = deliveryHeaders(event, randomUUID(), body);
  const answer = await api.request('POST', '/api/github/webhooks', { raw: body, headers });
  expect(answer).toMatchObject({ status: 200 });
  await handleDeliveries(api.ctx);
}

const tell = async (action: string, facts: Record<string, unknown> = {}, repositories?: string[]) =>
  deliver('installation', {
    action,
    installation: installation(facts),
    ...(repositories === undefined ? {} : { repositories: full(repositories) }),
  });
const tellRepositories = async (added: string[], removed: string[]) =>
  deliver('installation_repositories', {
    action: added.length > 0 ? 'added' : 'removed',
    installation: installation(),
    repositories_added: full(added),
    repositories_removed: full(removed),
  });

const known = async () => findInstallation(api.ctx.db, id);
const repos = async () => (await known())?.repos;
const queued = async () =>
  api.ctx
    .db('graphile_worker.jobs')
    .where({ key: `refresh-installation/${id}` })
    .pluck('task_identifier');

describe('an installation', () => {
  it('is recorded with its account, what was granted, and its repositories', async () => {
    await tell('created', {}, ['Octo/site', 'Octo/docs']);
    expect(await known()).toMatchObject({
      installationId: id,
      accountLogin: 'Octo',
      accountType: 'Organization',
      repos: ['Octo/site', 'Octo/docs'],
      permissions: { checks: 'write', contents: 'read' },
      events: ['pull_request'],
      suspendedAt: null,
    });
    expect(await queued()).toEqual([]);
  });

  it('gains and loses repositories, whatever the case in which they are named', async () => {
    await tell('created', {}, ['Octo/site', 'Octo/docs']);
    await tellRepositories(['octo/new', 'Octo/SITE'], []);
    expect(await repos()).toEqual(['Octo/SITE', 'Octo/docs', 'octo/new'].sort());
    await tellRepositories([], ['OCTO/docs', 'octo/unknown']);
    expect(await repos()).toEqual(['Octo/SITE', 'octo/new']);
  });

  it('is suspended and goes on, and an older event that comes late changes nothing', async () => {
    await tell('created', {}, ['Octo/site']);
    const suspension = { suspended_at: '2026-01-02T00:00:00Z', updated_at: '2026-01-02T00:00:00Z' };
    await tell('suspend', suspension);
    expect((await known())?.suspendedAt).toEqual(new Date('2026-01-02T00:00:00Z'));
    await tell('unsuspend', { updated_at: '2026-01-03T00:00:00Z' });
    await tell('suspend', suspension);
    expect(await known()).toMatchObject({ suspendedAt: null, repos: ['Octo/site'] });
  });

  it('is removed with its App, and comes back by no late event', async () => {
    await tell('created', {}, ['Octo/site']);
    await tell('deleted');
    await tell('created', {}, ['Octo/site']);
    await tellRepositories(['Octo/site'], []);
    expect(await known()).toBeNull();
  });

  it('that we never heard of is read from GitHub', async () => {
    await tellRepositories(['Octo/site'], []);
    expect([await repos(), await queued()]).toEqual([['Octo/site'], ['refresh-installation']]);
    await tell('created', {}, ['Octo/docs']);
    expect(await queued()).toEqual(['refresh-installation']);
  });

  it('follows its account to another name, with its repositories and what is linked to them', async () => {
    await tell('created', {}, ['Octo/site', 'Octo/docs']);
    const { token } = await api.account();
    const body = { name: 'Site', baseUrl: 'http://site.test' };
    const suite = await api.request('POST', '/api/test-suites', { token, body });
    const columns = { codehost_owner: 'octo', codehost_repo: 'site', codehost_installation_id: id };
    await api.ctx.db('test_suites').where({ id: suite.body.id }).update(columns);
    const renamed = { account: { login: 'Hexo' }, changes: { login: { from: 'Octo' } }, installation: { id } };
    await deliver('installation_target', { action: 'renamed', target_type: 'User', ...renamed });
    expect(await known()).toMatchObject({ accountLogin: 'Hexo', repos: ['Hexo/docs', 'Hexo/site'] });
    const linked = await api.request('GET', `/api/test-suites/${suite.body.id}`, { token });
    expect(linked.body.codehost).toEqual({ owner: 'Hexo', repo: 'site', installationId: id });
  });

  it('that is installed again takes over the links of its repositories', async () => {
    const { token } = await api.account();
    const { body: suite } = await api.request('POST', '/api/test-suites', {
      token,
      body: { name: 'Site', baseUrl: 'http://site.test' },
    });
    const link = { codehost_owner: 'octo', codehost_repo: 'Again', codehost_installation_id: 1 };
    await api.ctx.db('test_suites').where({ id: suite.id }).update(link);
    await tell('created', {}, ['Octo/again']);
    const row = await api.ctx.db('test_suites').where({ id: suite.id }).first('codehost_installation_id');
    expect(row).toEqual({ codehostInstallationId: id });
  });
});

describe('reading an installation from GitHub', () => {
  const token = () => nock(GITHUB).post(`/api/v3/app/installations/${id}/access_tokens`);
  const grant = () => token().reply(201, { token: 'ghs_x', expires_at: '2099-01-01T00:00:00Z', permissions: {} });
  const page = (number: number) =>
    nock(GITHUB, { reqheaders: { authorization: 'token ghs_x' } })
      .get('/api/v3/installation/repositories')
      .query(number === 1 ? { per_page: '100' } : { per_page: '100', page: String(number) });
  const refresh = async () => refreshInstallation(api.ctx, { installationId: id });

  it('takes every page of its repositories', async () => {
    await tellRepositories(['Octo/one'], []);
    grant();
    const next = `<${GITHUB}/api/v3/installation/repositories?per_page=100&page=2>; rel="next"`;
    page(1).reply(200, { total_count: 2, repositories: full(['Octo/one']) }, { link: next });
    page(2).reply(200, { total_count: 2, repositories: full(['Octo/two']) });
    await refresh();
    expect(await repos()).toEqual(['Octo/one', 'Octo/two']);
  });

  it('removes one that GitHub does not know', async () => {
    await tellRepositories(['Octo/one'], []);
    token().reply(404, { message: 'Not Found' });
    await refresh();
    expect(await known()).toBeNull();
  });

  it('leaves one that GitHub refuses as it was, and tries again after a failure', async () => {
    await tellRepositories(['Octo/one'], []);
    token().reply(403, { message: 'This installation has been suspended' });
    await refresh();
    token().reply(502, 'Bad gateway');
    await expect(refresh()).rejects.toThrow('Bad gateway');
    expect(await repos()).toEqual(['Octo/one']);
  });

  it('does not overwrite what an event told meanwhile', async () => {
    await tellRepositories(['Octo/one'], []);
    grant();
    page(1).reply(200, async () => {
      await tellRepositories(['Octo/two'], []);
      return { total_count: 1, repositories: full(['Octo/one']) };
    });
    await expect(refresh()).rejects.toThrow('read again');
    expect(await repos()).toEqual(['Octo/one', 'Octo/two']);
  });
});
