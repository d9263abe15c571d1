import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { register } from '../../src/auth/register.ts';
import { PASSWORD, startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import {
  apiOfGitHub,
  comeBack,
  expectSignIn,
  repository,
  seesInstallations,
  seesRepositories,
  SIGN_IN_ENVIRONMENT,
  startSignIn,
} from '../support/github-people.ts';
import { nock, stubHttp } from '../support/stub-http.ts';
import { newSuite } from '../support/world.ts';
import { worldOf } from './fixture.ts';

stubHttp();

const ada = { id: 1, login: 'ada' };
const bob = { id: 2, login: 'bob' };

async function link(api: TestApi, account: Account, person: { id: number; login: string }, granted = {}) {
  expectSignIn(person, granted);
  const answer = await comeBack(api, await startSignIn(api, account.token), { token: account.token });
  expect(answer.status).toBe(302);
  return account;
}

async function installed(api: TestApi, installationId: number, changes = {}) {
  await api.ctx.db('code_host_installations').insert({
    installation_id: installationId,
    account_login: 'acme',
    account_type: 'Organization',
    repos: ['acme/web'],
    ...changes,
  });
}

const list = async (api: TestApi, token: string, query = '') => {
  const installations = await api.request('GET', '/api/code-host/installations', { token });
  const repos = await api.request('GET', `/api/code-host/repos${query}`, { token });
  expect([installations.status, repos.status]).toEqual([200, 200]);
  return {
    installations: installations.body.map((each: { installationId: number }) => each.installationId),
    repos: repos.body,
  };
};

const WEB = { owner: 'acme', repo: 'web', fullName: 'acme/web', private: true };

describe('where sign-in with GitHub is configured', () => {
  let api: TestApi;
  let owner: Account;
  beforeAll(async () => {
    api = await startTestApi(SIGN_IN_ENVIRONMENT);
    await installed(api, 7);
    await installed(api, 8, { account_login: 'other', repos: ['other/secret'] });
    owner = await link(api, await api.account('ada'), ada);
  });
  afterEach(() => {
    nock.cleanAll();
  });
  afterAll(async () => {
    await api.stop();
  });

  const suiteOf = async (account: Account) => newSuite(worldOf(api), account.user, ['/']);
  const linkTo = async (account: Account, suite: { id: string }, codehost: unknown) =>
    api.request('PATCH', `/api/test-suites/${suite.id}`, { token: account.token, body: { codehost } });
  const repositoryId = async ({ id }: { id: string }) =>
    (await api.ctx.db('test_suites').where({ id }).first()).codehostRepositoryId;
  const refused = { status: 403, body: { details: { code: 'link_refused' } } };
  const lapsed = { status: 403, body: { details: { code: 'github_sign_in_lapsed' } } };

  it("lists what the caller's GitHub account sees, and nothing else", async () => {
    seesInstallations(ada, [{ id: 7, account: { login: 'acme', type: 'Organization' } }], 2);
    seesRepositories(ada, 7, [repository('acme/web', true), repository('acme/api', false)], { times: 2 });
    const { installations, repos } = await list(api, owner.token);
    expect(installations).toEqual([7]);
    expect(repos).toEqual([{ owner: 'acme', repo: 'api', fullName: 'acme/api', private: false }, WEB]);
  });

  it('names no repository of an installation that the caller does not see', async () => {
    seesInstallations(ada, [{ id: 7, account: { login: 'acme', type: 'Organization' } }]);
    seesRepositories(ada, 7, [repository('acme/api', false)]);
    const { body } = await api.request('GET', '/api/code-host/installations', { token: owner.token });
    expect(body).toMatchObject([{ installationId: 7, repos: ['acme/api'] }]);
  });

  it('lists one installation when it is asked for, and nothing for one that the caller does not see', async () => {
    seesInstallations(ada, [{ id: 7, account: { login: 'acme', type: 'Organization' } }], 4);
    seesRepositories(ada, 7, [repository('acme/web', true)], { times: 3 });
    expect((await list(api, owner.token, '?installationId=7')).repos).toEqual([WEB]);
    expect((await list(api, owner.token, '?installationId=8')).repos).toEqual([]);
  });

  it('lists nothing for who has linked no GitHub account, without asking GitHub', async () => {
    const { token } = await api.account();
    expect(await list(api, token)).toEqual({ installations: [], repos: [] });
  });

  it('asks to sign in again once the token has been revoked, to list as well as to link', async () => {
    apiOfGitHub().get('/api/v3/user/installations').query(true).times(3).reply(401, { message: 'Bad credentials' });
    expect(await api.request('GET', '/api/code-host/installations', { token: owner.token })).toMatchObject(lapsed);
    expect(await api.request('GET', '/api/code-host/repos', { token: owner.token })).toMatchObject(lapsed);
    expect(await linkTo(owner, await suiteOf(owner), WEB_LINK)).toMatchObject(lapsed);
  });

  it('leaves out installations that are suspended', async () => {
    const suspended = { id: 7, account: { login: 'acme', type: 'Organization' }, suspended_at: '2030-01-01T00:00:00Z' };
    seesInstallations(ada, [suspended], 2);
    expect(await list(api, owner.token)).toEqual({ installations: [], repos: [] });
  });

  it('learns of an installation whose event never came', async () => {
    seesInstallations(ada, [{ id: 99, account: { login: 'early', type: 'User' } }], 2);
    seesRepositories(ada, 99, [], { times: 2 });
    expect((await list(api, owner.token)).installations).toEqual([99]);
    const jobs = await api.ctx.db.raw(
      `select payload from graphile_worker._private_jobs where key = 'refresh-installation/99'`,
    );
    expect(jobs.rows).toEqual([{ payload: { installationId: 99 } }]);
  });

  it('reads every page of a long list', async () => {
    seesInstallations(ada, [{ id: 7, account: { login: 'acme', type: 'Organization' } }], 2);
    const next = '<http://github.test/api/v3/user/installations/7/repositories?per_page=100&page=2>; rel="next"';
    seesRepositories(ada, 7, [repository('acme/web', true)], { times: 2, headers: { link: next } });
    seesRepositories(ada, 7, [repository('acme/api', true)], { times: 2, query: { page: '2' } });
    const { repos } = await list(api, owner.token);
    expect(repos.map(({ repo }: { repo: string }) => repo)).toEqual(['api', 'web']);
  });

  it('asks to come again while GitHub is away', async () => {
    apiOfGitHub().get('/api/v3/user/installations').query(true).reply(502, 'no');
    const answer = await api.request('GET', '/api/code-host/repos', { token: owner.token });
    expect(answer).toMatchObject({ status: 503, body: { details: { code: 'github_unavailable' } } });
  });

  it('tells who asks too often when to come again', async () => {
    apiOfGitHub()
      .get('/api/v3/user/installations')
      .query(true)
      .reply(403, { message: 'You have exceeded a secondary rate limit' }, { 'retry-after': '42' });
    const answer = await api.request('GET', '/api/code-host/repos', { token: owner.token });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '42']);
  });

  it('links a repository that the caller sees, in whatever case it is written', async () => {
    const suite = await suiteOf(owner);
    seesInstallations(ada, [{ id: 7, account: { login: 'acme', type: 'Organization' } }]);
    seesRepositories(ada, 7, [repository('acme/web', true)]);
    const answer = await linkTo(owner, suite, { owner: 'Acme', repo: 'Web', installationId: 7 });
    expect(answer).toMatchObject({
      status: 200,
      body: { codehost: { owner: 'Acme', repo: 'Web', installationId: 7 } },
    });
    expect(await repositoryId(suite)).toBe(repository('acme/web', true).id);
  });

  it('asks for no proof of what is linked already, nor to unlink', async () => {
    const suite = await suiteOf(owner);
    seesInstallations(ada, [{ id: 7, account: { login: 'acme', type: 'Organization' } }]);
    seesRepositories(ada, 7, [repository('acme/docs', true)]);
    const docs = { owner: 'acme', repo: 'docs', installationId: 7 };
    expect((await linkTo(owner, suite, docs)).status).toBe(200);
    const renamed = await linkTo(owner, suite, { ...docs, checkContext: 'Docs' });
    expect(renamed).toMatchObject({ status: 200, body: { codehost: { checkContext: 'Docs' } } });
    expect(await repositoryId(suite)).toBe(repository('acme/docs', true).id);
    expect(await linkTo(owner, suite, null)).toMatchObject({ status: 200, body: { codehost: null } });
    expect(await repositoryId(suite)).toBeNull();
  });

  it.each([
    ['another installation', { owner: 'other', repo: 'secret', installationId: 8 }],
    ["another's repository through their own installation", { owner: 'other', repo: 'secret', installationId: 7 }],
  ])('refuses %s', async (_what, codehost) => {
    const suite = await suiteOf(owner);
    seesInstallations(ada, [{ id: 7, account: { login: 'acme', type: 'Organization' } }]);
    seesRepositories(ada, 7, [repository('acme/web', true)]);
    expect(await linkTo(owner, suite, codehost)).toMatchObject(refused);
    const { body } = await api.request('GET', `/api/test-suites/${suite.id}`, { token: owner.token });
    expect(body.codehost).toBeNull();
  });

  it('refuses who has linked no GitHub account', async () => {
    const stranger = await api.account();
    const answer = await linkTo(stranger, await suiteOf(stranger), WEB_LINK);
    expect(answer).toMatchObject(refused);
  });

  it('does not ask GitHub for who may not link anything', async () => {
    const suite = await suiteOf(owner);
    const editor = await api.account();
    const share = { userId: editor.user.id, role: 'EDITOR' };
    await api.request('POST', `/api/test-suites/${suite.id}/access`, { token: owner.token, body: share });
    expect((await linkTo(editor, suite, WEB_LINK)).body.details.code).toBe('role_too_low');
    expect((await linkTo(await api.account(), suite, WEB_LINK)).status).toBe(404);
  });

  describe('a token that has ended', () => {
    let late: Account;
    beforeEach(async () => {
      const tokens = { refresh_token: 'ghr_1', expires_in: 30 };
      late = await link(api, await api.account('bob'), bob, tokens);
    });
    afterEach(async () => {
      await api.ctx.db('accounts').where({ user_id: late.user.id }).delete();
    });

    it('is renewed, and the new one is kept', async () => {
      const asked: Record<string, unknown>[] = [];
      apiOfGitHub()
        .post('/login/oauth/access_token', (body) => asked.push(body) > 0)
        .reply(200, { access_token: 'ghu_new', refresh_token: 'ghr_2', expires_in: 28_800, token_type: 'bearer' });
      seesInstallations({ login: 'new' }, [{ id: 7, account: { login: 'acme', type: 'Organization' } }], 2);
      seesRepositories({ login: 'new' }, 7, [], { times: 2 });
      expect((await list(api, late.token)).installations).toEqual([7]);
      expect(asked).toEqual([
        {
          client_id: 'Iv1.client',
          client_secret: 'client-secret',
          grant_type: 'refresh_token',
          refresh_token: 'ghr_1',
        },
      ]);
    });

    it('that GitHub does not renew asks to sign in again, which mends it', async () => {
      apiOfGitHub().post('/login/oauth/access_token').times(2).reply(200, { error: 'bad_refresh_token' });
      expect(await api.request('GET', '/api/code-host/installations', { token: late.token })).toMatchObject(lapsed);
      expect(await api.request('GET', '/api/code-host/repos', { token: late.token })).toMatchObject(lapsed);
      await link(api, late, bob);
      seesInstallations(bob, [{ id: 7, account: { login: 'acme', type: 'Organization' } }], 2);
      seesRepositories(bob, 7, [], { times: 2 });
      expect((await list(api, late.token)).installations).toEqual([7]);
    });
  });
});

const WEB_LINK = { owner: 'acme', repo: 'web', installationId: 7 };

describe('where it is not, and registration is closed', () => {
  let api: TestApi;
  let owner: Account;
  beforeAll(async () => {
    api = await startTestApi({ ALLOW_REGISTRATION: 'false' });
    const open = { ...api.ctx, config: { ...api.ctx.config, allowRegistration: true } };
    owner = await register(open, { email: 'insider@example.com', password: PASSWORD }, 4);
    await installed(api, 7);
    await installed(api, 8, { repos: ['gone/away'], suspended_at: new Date() });
  });
  afterAll(async () => {
    await api.stop();
  });

  it('lists every installation that is not suspended, and its repositories as its events told them', async () => {
    expect(await list(api, owner.token)).toEqual({ installations: [7], repos: [WEB] });
  });

  it('links any repository', async () => {
    const suite = await newSuite(worldOf(api), owner.user, ['/']);
    const answer = await api.request('PATCH', `/api/test-suites/${suite.id}`, {
      token: owner.token,
      body: { codehost: WEB_LINK },
    });
    expect(answer).toMatchObject({ status: 200, body: { codehost: WEB_LINK } });
  });
});

describe('where neither is so', () => {
  it('lists nothing, though installations are known', async () => {
    const api = await startTestApi();
    try {
      await installed(api, 7);
      const { token } = await api.account();
      expect(await list(api, token)).toEqual({ installations: [], repos: [] });
    } finally {
      await api.stop();
    }
  });
});
