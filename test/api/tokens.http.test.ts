import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeOf, PASSWORD, startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { postForm } from '../support/web-form.ts';
import { screenshot } from '../support/world.ts';
import { halfBlack, setStage, share, type Stage } from './fixture.ts';

const DAY_MS = 86_400_000;

let api: TestApi;
let owner: Account;
let other: Account;
let stage: Stage;
let elsewhere: Stage;
beforeAll(async () => {
  api = await startTestApi();
  owner = await api.account('owner');
  other = await api.account('other');
  stage = await setStage(api, owner, other);
  elsewhere = await setStage(api, owner, other);
  for (const { suite } of [stage, elsewhere]) await api.ctx.storage.put(screenshot(suite, 'a'), halfBlack(0));
});
afterAll(async () => api.stop());

const status = async (token: string, method: string, path: string, body?: unknown) =>
  (await api.request(method, path, { token, body })).status;

async function ownToken(by: Account, expiresInDays = 30) {
  const { body } = await api.request('POST', '/api/tokens', { token: by.token, body: { name: 'mine', expiresInDays } });
  return { id: String(body.token.id), secret: String(body.secret) };
}

async function suiteToken(scopes: string[], by: Account = owner) {
  const path = `/api/test-suites/${stage.suite.id}/tokens`;
  const { body } = await api.request('POST', path, { token: by.token, body: { name: 'CI', scopes } });
  return { id: String(body.token.id), secret: String(body.secret) };
}

describe("a person's own token", () => {
  it('may do what the person may, and tells when it was last used, but never the secret again', async () => {
    const { id, secret } = await ownToken(owner);
    expect((await api.request('GET', '/api/auth/me', { token: secret })).body.user.id).toBe(owner.user.id);
    expect(await status(secret, 'PATCH', `/api/test-suites/${stage.suite.id}`, { name: 'Renamed' })).toBe(200);
    const { body } = await api.request('GET', '/api/tokens', { token: owner.token });
    const listed = body.find((token: { id: string }) => token.id === id);
    expect(listed).toMatchObject({ name: 'mine', testSuiteId: null, scopes: null, lastUsedAt: expect.any(String) });
    const [row] = await api.ctx.db('api_tokens').where({ id });
    expect(JSON.stringify([body, row])).not.toContain(secret);
  });

  it('is no longer valid once it is revoked, has expired, or the person was signed out', async () => {
    const me = async (secret: string) => status(secret, 'GET', '/api/auth/me');
    const revoked = await ownToken(other);
    expect(await status(owner.token, 'DELETE', `/api/tokens/${revoked.id}`)).toBe(404);
    expect(await me(revoked.secret)).toBe(200);
    expect(await status(revoked.secret, 'DELETE', `/api/tokens/${revoked.id}`)).toBe(200);
    expect(await me(revoked.secret)).toBe(401);

    const signedOut = await ownToken(other);
    await postForm(api, '/account/sign-out-everywhere', {}, { token: other.token });
    expect(await me(signedOut.secret)).toBe(401);

    const { body } = await api.request('POST', '/api/auth/login', {
      body: { email: other.user.email, password: PASSWORD },
    });
    other = { ...other, token: body.token };
    const short = await ownToken(other, 1);
    expect(await me(short.secret)).toBe(200);
    api.advance(DAY_MS);
    expect(await me(short.secret)).toBe(401);
    expect((await api.request('GET', '/api/tokens', { token: other.token })).body).toEqual([]);
  });

  it('is only read from the Authorization header', async () => {
    const { secret } = await ownToken(owner);
    const answer = await api.request('GET', '/api/auth/me', { headers: { cookie: `pixelgate_session=${secret}` } });
    expect(answer.status).toBe(401);
  });

  it('cannot be made without end', async () => {
    const rich = await api.account('rich');
    for (let made = 0; made < 99; made += 1) await ownToken(rich);
    const body = { name: 'one too many' };
    const post = async () => api.request('POST', '/api/tokens', { token: rich.token, body });
    const [first, ...others] = (await Promise.all([post(), post(), post(), post()])).toSorted(
      (one, other) => one.status - other.status,
    );
    expect(first?.status).toBe(201);
    expect(others.map(codeOf)).toEqual(others.map(() => [409, 'too_many_tokens']));
  });
});

describe("a suite's token", () => {
  it('may do on its suite what its scopes say', async () => {
    const reader = await suiteToken(['read']);
    const runner = await suiteToken(['run']);
    const suite = `/api/test-suites/${stage.suite.id}`;
    const run = `/api/test-runs/${stage.runId}`;
    const reads = [suite, `${suite}/pages`, run, `${run}/results`, `${run}/logs`, `${run}/changes`];
    for (const path of [...reads, '/api/test-runs', `/files/${screenshot(stage.suite, 'a')}`]) {
      expect([path, await status(reader.secret, 'GET', path)]).toEqual([path, 200]);
      expect([path, await status(runner.secret, 'GET', path)]).toEqual([path, 403]);
    }
    expect(await status(reader.secret, 'POST', `${suite}/run`)).toBe(403);
    expect(await status(runner.secret, 'POST', `${suite}/run`)).toBe(202);
  });

  it('lists the runs of its suite only', async () => {
    const { secret } = await suiteToken(['read']);
    const { body } = await api.request('GET', '/api/test-runs', { token: secret });
    const suites = body.testRuns.map((run: { testSuiteId: string }) => run.testSuiteId);
    expect(new Set(suites)).toEqual(new Set([stage.suite.id]));
  });

  it('may do nothing else, whatever the person who made it may', async () => {
    const { secret } = await suiteToken(['upload', 'run', 'read']);
    const suite = `/api/test-suites/${stage.suite.id}`;
    const refused: [method: string, path: string, body?: unknown][] = [
      ['GET', '/api/auth/me'],
      ['POST', '/api/auth/sign-in-link'],
      ['GET', '/api/auth/github'],
      ['GET', '/api/dashboard'],
      ['GET', '/api/search?q=site'],
      ['GET', '/api/test-suites'],
      ['POST', '/api/test-suites', { name: 'New', baseUrl: 'http://site.test' }],
      ['GET', '/api/tokens'],
      ['POST', '/api/tokens', { name: 'more' }],
      ['GET', `${suite}/tokens`],
      ['POST', `${suite}/tokens`, { name: 'more', scopes: ['run'] }],
      ['PATCH', suite, { name: 'Taken over' }],
      ['DELETE', suite],
      ['GET', `${suite}/access`],
      ['GET', `${suite}/site-access`],
      ['POST', `/api/test-runs/${stage.runId}/approve-visuals`],
      ['PATCH', `/api/test-runs/${stage.runId}/results/${stage.changed.id}`, { decision: 'approve' }],
      ['POST', '/api/baselines', { pageResultId: stage.changed.id }],
      ['GET', `/api/test-suites/${elsewhere.suite.id}`],
      ['POST', `/api/test-suites/${elsewhere.suite.id}/run`],
      ['GET', `/api/test-runs?testSuiteId=${elsewhere.suite.id}`],
      ['GET', '/api/test-suites/00000000-0000-4000-8000-000000000000'],
      ['GET', `/files/${screenshot(elsewhere.suite, 'a')}`],
      ['GET', '/account'],
      ['GET', `/suites/${stage.suite.id}`],
    ];
    for (const [method, path, body] of refused) {
      expect([method, path, await status(secret, method, path, body)]).toEqual([method, path, 403]);
    }
    // Whether there is such a run elsewhere is not told.
    expect(await status(secret, 'GET', `/api/test-runs/${elsewhere.runId}`)).toBe(404);
    expect(await status(secret, 'GET', '/api/test-runs/00000000-0000-4000-8000-000000000000')).toBe(404);
  });

  it('loses what the person who made it loses', async () => {
    const admin = await api.account('admin');
    await share(api, stage.suite, owner, admin, 'ADMIN');
    const { secret } = await suiteToken(['run', 'read'], admin);
    const suite = `/api/test-suites/${stage.suite.id}`;
    const may = async () => [await status(secret, 'POST', `${suite}/run`), await status(secret, 'GET', suite)];
    expect(await may()).toEqual([202, 200]);
    await share(api, stage.suite, owner, admin, 'VIEWER');
    expect(await may()).toEqual([403, 200]);
    await api.ctx.db('test_suite_grants').where({ principal_id: admin.user.id }).delete();
    expect(await may()).toEqual([404, 404]);
    await api.ctx.db('users').where({ id: admin.user.id }).delete();
    expect(await may()).toEqual([401, 401]);
  });

  it('stays when the person who made it changes their password, and goes when an admin revokes it', async () => {
    const { id, secret } = await suiteToken(['read']);
    const suite = `/api/test-suites/${stage.suite.id}`;
    await api.ctx.db('users').where({ id: owner.user.id }).increment('session_version');
    expect(await status(secret, 'GET', suite)).toBe(200);
    await api.ctx.db('users').where({ id: owner.user.id }).decrement('session_version');
    expect(await status(owner.token, 'DELETE', `${suite}/tokens/${id}`)).toBe(200);
    expect(await status(secret, 'GET', suite)).toBe(401);
  });

  it.each([
    [{ name: 'CI', scopes: [] }],
    [{ name: 'CI', scopes: ['approve'] }],
    [{ name: ' ', scopes: ['read'] }],
    [{ name: 'CI', scopes: ['read'], expiresInDays: 0 }],
    [{ name: 'CI', scopes: ['read'], expiresInDays: 731 }],
  ])('is not made of %j', async (body) => {
    expect(await status(owner.token, 'POST', `/api/test-suites/${stage.suite.id}/tokens`, body)).toBe(400);
  });
});

describe('the pages of tokens', () => {
  it('show the secret in the answer to the form, and what was wrong with it', async () => {
    const path = `/suites/${stage.suite.id}/tokens`;
    const sent = { name: 'Nightly', expiresInDays: '30' };
    const refused = await postForm(api, path, sent, { token: owner.token });
    expect([refused.status, refused.body.includes('Choose at least one')]).toEqual([400, true]);
    const made = await postForm(api, path, { ...sent, scopes: 'read' }, { token: owner.token });
    const [secret = ''] = /pgs_[\w-]{43}/.exec(made.body) ?? [];
    expect(await status(secret, 'GET', `/api/test-suites/${stage.suite.id}`)).toBe(200);
    const listed = await api.request('GET', path, { token: owner.token });
    expect(listed.body).toContain('Nightly');
    expect(listed.body).not.toContain(secret);
    const own = await postForm(api, '/account/tokens', sent, { token: owner.token });
    expect(own.body).toMatch(/pgu_[\w-]{43}/);
  });
});
