import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { imageName } from '../../src/storage/object-name.ts';
import { tarGzOf } from '../archives/archives.ts';
import {
  MERGE_SHA,
  newSigningKey,
  startActionsIssuer,
  type ActionsIssuer,
  type Claims,
} from '../support/actions-issuer.ts';
import { startTestApi, type Account, type Answer, type TestApi } from '../support/api-client.ts';
import { APP_ENVIRONMENT, deliveryHeaders } from '../support/github-app.ts';
import { numberRuns } from '../support/number-runs.ts';
import { handleDeliveries } from '../support/take-deliveries.ts';
import { newSuite } from '../support/world.ts';
import { worldOf } from './fixture.ts';

const AUDIENCE = 'https://pixelgate.test';
const MINUTE_MS = 60_000;
const HEAD = 'a1'.repeat(20);
const EARLIER_HEAD = 'b2'.repeat(20);
const OTHER_HEAD = 'c3'.repeat(20);

let issuer: ActionsIssuer;
let api: TestApi;
let owner: Account;
let suiteId: string;
beforeAll(async () => {
  issuer = await startActionsIssuer(AUDIENCE);
  // As on a server that is reached by a path of its host.
  api = await startTestApi({ ...APP_ENVIRONMENT, ...issuer.environment, PUBLIC_URL: `${AUDIENCE}/pixelgate` });
  owner = await api.account('owner');
});
afterAll(async () => {
  await api.stop();
  await issuer.stop();
});

const LINK = {
  codehost_owner: 'Acme',
  codehost_repo: 'web',
  codehost_installation_id: 7,
  codehost_repository_id: 4242,
};

async function linkedSuite(link: Partial<typeof LINK> | { codehost_repository_id: null } = {}): Promise<string> {
  const { id } = await newSuite(worldOf(api), owner.user, ['/']);
  await api.ctx
    .db('test_suites')
    .where({ id })
    .update({ ...LINK, ...link });
  return id;
}

beforeEach(async () => {
  await api.ctx.db('test_suites').delete();
  await api.ctx.db('pull_requests').delete();
  await api.ctx.db('rate_limits').delete();
  suiteId = await linkedSuite();
});

const exchange = async (token: string, testSuiteId?: string): Promise<Answer> =>
  api.request('POST', '/api/auth/oidc/github', { body: { token, testSuiteId } });

async function secretFor(claims: Claims = {}): Promise<string> {
  const { status, body } = await exchange(issuer.sign(claims));
  expect([status, body.error]).toEqual([200, undefined]);
  return body.secret;
}

const refusal = ({ status, body }: Answer) => [status, body.details?.code];
const refused = async (claims: Claims, wanted?: string) => refusal(await exchange(issuer.sign(claims), wanted));

const run = async (token: string, body: object, id = suiteId) =>
  api.request('POST', `/api/test-suites/${id}/run`, { token, body: { targetBaseUrl: 'http://site.test', ...body } });

async function upload(token: string, headSha: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/gzip' };
  const body = new Uint8Array(tarGzOf([{ path: 'index.html', content: '<h1>Home</h1>' }]));
  const address = `${api.url}/api/test-suites/${suiteId}/builds?headSha=${headSha}`;
  return (await fetch(address, { method: 'POST', headers, body })).status;
}

async function tellOfPullRequest(number: number, headSha: string, fromFork: boolean | null): Promise<void> {
  await api.ctx.db('pull_requests').insert({
    owner: 'acme',
    repo: 'web',
    number,
    head_sha: headSha,
    head_branch: 'topic',
    base_branch: 'main',
    from_fork: fromFork,
    installation_id: 7,
    changed_at: new Date(),
  });
}

const inPullRequest = (number: number) => ({ event_name: 'pull_request', ref: `refs/pull/${number}/merge` });

describe("a workflow's token", () => {
  it('becomes one of the suite that is linked to its repository, for fifteen minutes', async () => {
    const { status, body } = await exchange(issuer.sign());
    expect(status).toBe(200);
    expect(body).toMatchObject({ testSuiteId: suiteId, scopes: ['upload', 'run', 'read'] });
    const read = async () => (await api.request('GET', `/api/test-suites/${suiteId}`, { token: body.secret })).status;
    expect(await read()).toBe(200);
    expect((await api.request('GET', `/api/test-suites/${suiteId}/tokens`, { token: owner.token })).body).toEqual([]);
    api.advance(14 * MINUTE_MS);
    expect(await read()).toBe(200);
    api.advance(MINUTE_MS + 1000);
    expect(await read()).toBe(401);
    api.advance(-15 * MINUTE_MS - 1000);
  });

  it('speaks for its own commit only', async () => {
    const token = await secretFor();
    expect((await run(token, { headSha: MERGE_SHA })).status).toBe(202);
    expect((await run(token, {})).status).toBe(202);
    expect(refusal(await run(token, { headSha: HEAD }))).toEqual([403, 'token_commit']);
    expect(refusal(await run(token, { prNumber: 7 }))).toEqual([403, 'token_commit']);
    expect([await upload(token, MERGE_SHA), await upload(token, HEAD)]).toEqual([201, 403]);
  });

  it("reads every run of the suite, and cancels and repeats its own commit's only", async () => {
    const token = await secretFor();
    const own = (await run(token, { headSha: MERGE_SHA })).body.testRunId;
    const others = (await run(owner.token, { headSha: HEAD, prNumber: 7 })).body.testRunId;
    const cancel = async (id: string) =>
      api.request('PATCH', `/api/test-runs/${id}`, { token, body: { action: 'cancel' } });
    expect((await api.request('GET', `/api/test-runs/${others}`, { token })).status).toBe(200);
    expect(refusal(await cancel(others))).toEqual([403, 'token_commit']);
    const again = { token, body: { url: 'http://site.test/' } };
    expect(refusal(await api.request('POST', `/api/test-runs/${others}/rerun`, again))).toEqual([403, 'token_commit']);
    expect((await cancel(own)).status).toBe(200);
  });

  it('may do nothing that a token of the suite may not, and nothing on other suites', async () => {
    const token = await secretFor();
    const elsewhere = await linkedSuite({ codehost_repository_id: 5 });
    const asked: [string, string, unknown?][] = [
      ['GET', '/api/auth/me'],
      ['POST', '/api/tokens', { name: 'more' }],
      ['POST', `/api/test-suites/${suiteId}/tokens`, { name: 'more', scopes: ['run'] }],
      ['PATCH', `/api/test-suites/${suiteId}`, { name: 'Mine' }],
      ['GET', `/api/test-suites/${elsewhere}`],
    ];
    for (const [method, path, body] of asked) {
      expect([path, (await api.request(method, path, { token, body })).status]).toEqual([path, 403]);
    }
    const asCookie = { headers: { cookie: `pixelgate_session=${token}` } };
    expect((await api.request('GET', '/api/auth/me', asCookie)).status).toBe(401);
    // Both are signed with the same secret, and neither passes for the other.
    expect((await api.request('GET', '/api/auth/me', { token: token.slice('pgw_'.length) })).status).toBe(401);
    expect((await api.request('GET', '/api/auth/me', { token: `pgw_${owner.token}` })).status).toBe(401);
  });

  it('ends with the link of the suite', async () => {
    const token = await secretFor();
    const path = `/api/test-suites/${suiteId}`;
    const image = imageName(suiteId, 'a'.repeat(64));
    await api.ctx.storage.put(image, Buffer.from('a screenshot'));
    const look = async () => (await api.request('GET', `/files/${image}`, { token })).status;
    expect(await look()).toBe(200);
    await api.request('PATCH', path, { token: owner.token, body: { codehost: null } });
    expect((await api.ctx.db('test_suites').where({ id: suiteId }).first()).codehostRepositoryId).toBeNull();
    expect((await api.request('GET', path, { token })).status).toBe(403);
    expect(await look()).toBe(404);
    expect(await refused({})).toEqual([404, 'not_found']);
  });

  it('names the suite where several are linked, and gets no other', async () => {
    const second = await linkedSuite();
    const elsewhere = await linkedSuite({ codehost_repository_id: 5 });
    const asked = await exchange(issuer.sign());
    expect(refusal(asked)).toEqual([422, 'suite_ambiguous']);
    expect(asked.body.error).toContain(second);
    expect(asked.body.error).not.toContain(elsewhere);
    expect((await exchange(issuer.sign(), second)).body.testSuiteId).toBe(second);
    // What is another's, what is not there, and what is inactive look alike.
    await api.ctx.db('test_suites').where({ id: second }).update({ is_active: false });
    for (const wanted of [elsewhere, randomUUID(), second]) {
      expect(await refused({}, wanted)).toEqual([404, 'not_found']);
    }
  });
});

describe('a workflow of a pull request', () => {
  it('speaks for the heads of that one, although it runs on a test merge', async () => {
    await tellOfPullRequest(7, HEAD, false);
    await tellOfPullRequest(8, OTHER_HEAD, false);
    const earlier = {
      test_suite_id: suiteId,
      run_type: 'PR',
      target_base_url: '',
      config: '{}',
      git_owner: 'acme',
      git_repo: 'web',
      git_pr_number: 7,
      git_head_sha: EARLIER_HEAD,
      git_branch: 'topic',
      git_base_branch: 'main',
      git_installation_id: 7,
      git_enqueued: false,
      check_name: 'Pixelgate',
      preview_deadline: new Date(),
    };
    await api.ctx.db('test_runs').insert(await numberRuns(api.ctx.db, [earlier]));
    const token = await secretFor(inPullRequest(7));
    for (const headSha of [HEAD, EARLIER_HEAD, MERGE_SHA]) {
      expect([headSha, await upload(token, headSha)]).toEqual([headSha, 201]);
    }
    expect(await upload(token, OTHER_HEAD)).toBe(403);
    expect((await run(token, { headSha: HEAD, prNumber: 7 })).status).toBe(202);
    expect(refusal(await run(token, { prNumber: 8 }))).toEqual([403, 'token_commit']);
  });

  it('gets none from a fork, nor before GitHub has told of it, nor on pull_request_target', async () => {
    await tellOfPullRequest(7, HEAD, true);
    await tellOfPullRequest(8, OTHER_HEAD, null);
    expect(await refused(inPullRequest(7))).toEqual([403, 'pull_request_from_fork']);
    expect(await refused(inPullRequest(8))).toEqual([403, 'pull_request_from_fork']);
    expect(await refused(inPullRequest(9))).toEqual([403, 'pull_request_unknown']);
    expect(await refused({ event_name: 'pull_request', ref: 'refs/heads/topic' })).toEqual([
      403,
      'pull_request_unknown',
    ]);
    expect(await refused({ event_name: 'pull_request_target' })).toEqual([403, 'pull_request_target']);
  });
});

describe('an identity token', () => {
  const past = Math.floor(Date.now() / 1000) - 120;
  const forged: [string, () => string][] = [
    ['by another issuer', () => issuer.sign({ iss: 'https://token.actions.githubusercontent.com' })],
    ['for another audience', () => issuer.sign({ aud: 'https://github.com/acme' })],
    ['for a longer audience', () => issuer.sign({ aud: `${AUDIENCE}.evil.test` })],
    ['without an audience', () => issuer.sign({ aud: undefined })],
    ['signed with another key', () => issuer.sign({}, { key: newSigningKey() })],
    ['that has expired', () => issuer.sign({ exp: past })],
    ['that never expires', () => issuer.sign({ exp: undefined })],
    ['that is not valid yet', () => issuer.sign({ nbf: past + 600 })],
    ['without a signature', () => issuer.forge('none')],
    ['with the public key as a secret', () => issuer.forge('HS256')],
    [
      'with a payload that was changed',
      () => issuer.sign().replace(/\.[^.]+\./, `.${Buffer.from('{}').toString('base64url')}.`),
    ],
    ['that is no JWT', () => 'a.b.c'],
    ['of something else than a workflow', () => issuer.sign({ repository_id: undefined })],
    ['of a repository without a number', () => issuer.sign({ repository_id: 'acme/web' })],
  ];
  it.each(forged)('%s is refused', async (_name, make) => {
    expect(refusal(await exchange(make()))).toEqual([401, 'identity_token_refused']);
  });

  it('is refused after thirty exchanges', async () => {
    const token = issuer.sign();
    for (let count = 0; count < 30; count += 1) await exchange(token);
    const answer = await exchange(token);
    expect(refusal(answer)).toEqual([429, 'rate_limited']);
  });
});

describe("the issuer's keys", () => {
  it('are asked for once, however many tokens name keys that there are not', async () => {
    await secretFor();
    api.advance(2 * MINUTE_MS);
    const before = issuer.asked();
    const unknown = Array.from({ length: 20 }, (_, at) => issuer.sign({}, { kid: `made-up-${at}` }));
    const answers = await Promise.all(unknown.map(async (token) => exchange(token)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(issuer.asked() - before).toBe(1);
    issuer.rotate();
    const rotated = issuer.sign({ exp: Math.floor(Date.now() / 1000) + 3600 });
    expect((await exchange(rotated)).status).toBe(401);
    api.advance(MINUTE_MS);
    expect((await exchange(rotated)).status).toBe(200);
    api.advance(-3 * MINUTE_MS);
  });

  it('that are known outlast an issuer that is away, for an hour', async () => {
    const exp = Math.floor(Date.now() / 1000) + 3 * 3600;
    issuer.rotate();
    api.advance(10 * MINUTE_MS);
    await secretFor({ exp });
    issuer.setAway(true);
    api.advance(2 * MINUTE_MS);
    const unknown = await exchange(issuer.sign({ exp }, { kid: 'made-up' }));
    expect(refusal(unknown)).toEqual([503, 'issuer_unreachable']);
    expect((await exchange(issuer.sign({ exp }))).status).toBe(200);
    api.advance(60 * MINUTE_MS);
    expect((await exchange(issuer.sign({ exp }))).status).toBe(503);
    issuer.setAway(false);
    api.advance(MINUTE_MS);
    expect((await exchange(issuer.sign({ exp }))).status).toBe(200);
    api.advance(-73 * MINUTE_MS);
  });

  it('are asked for again when the clock was set back', async () => {
    await secretFor();
    issuer.rotate();
    const now = Math.floor(Date.now() / 1000);
    const token = issuer.sign({ nbf: now - 3 * 3600, exp: now + 3600 });
    api.advance(-120 * MINUTE_MS);
    const { status } = await exchange(token);
    api.advance(120 * MINUTE_MS);
    expect(status).toBe(200);
  });
});

describe('a repository', () => {
  async function deliver(id: number, installationId: number, fullName = 'acme/Web', event = 'push', more = {}) {
    const [login = '', name = ''] = fullName.split('/');
    const repository = { id, name, full_name: fullName, owner: { login } };
    const payload = JSON.stringify({ action: 'x', repository, installation: { id: installationId }, ...more });
    const headers = deliveryHeaders(event, randomUUID(), payload);
    const { status } = await api.request('POST', '/api/github/webhooks', { raw: payload, headers });
    expect(status).toBe(200);
    await handleDeliveries(api.ctx);
  }
  const unknown = { codehost_repository_id: null };

  it('that was made anew under the name gets nothing', async () => {
    expect(await refused({ repository_id: '666' })).toEqual([404, 'not_found']);
    // Not even when GitHub tells of it.
    await deliver(666, 7);
    expect(await refused({ repository_id: '666' })).toEqual([404, 'not_found']);
    await secretFor({ repository: 'acme/renamed-since' });
  });

  it('is known by its number only, which comes with an event of its installation', async () => {
    await api.ctx.db('test_suites').where({ id: suiteId }).update(unknown);
    expect(await refused({})).toEqual([404, 'not_found']);
    await deliver(4242, 99);
    expect(await refused({})).toEqual([404, 'not_found']);
    await deliver(4242, 7);
    await secretFor();
  });

  it('that was renamed keeps its suite', async () => {
    const changes = { repository: { name: { from: 'web' } } };
    await deliver(4242, 7, 'acme/site', 'repository', { action: 'renamed', changes });
    await deliver(777, 7, 'acme/web');
    expect(await refused({ repository_id: '777' })).toEqual([404, 'not_found']);
    await secretFor({ repository: 'acme/site' });
  });
});
