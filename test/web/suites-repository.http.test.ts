import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { SuiteForViewer } from '../../src/suites/suite.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { APP_ENVIRONMENT } from '../support/github-app.ts';
import {
  apiOfGitHub,
  comeBack,
  expectSignIn,
  repository,
  seesInstallations,
  seesRepositories,
  SIGN_IN_ENVIRONMENT,
  startSignIn,
  type SeenInstallation,
} from '../support/github-people.ts';
import { nock, stubHttp } from '../support/stub-http.ts';
import { postForm } from '../support/web-form.ts';
import { ledTo, peopleOf, sharedSuite, type People } from './suites-fixture.ts';

stubHttp();

const ACME: SeenInstallation = { id: 7, account: { login: 'acme', type: 'Organization' } };
const ada = { id: 1, login: 'ada' };

let api: TestApi;
let people: People;
let suite: SuiteForViewer;
let path: string;
beforeAll(async () => {
  api = await startTestApi({ ...SIGN_IN_ENVIRONMENT, ...APP_ENVIRONMENT });
  people = await peopleOf(api);
  suite = await sharedSuite(api, people);
  path = `/suites/${suite.id}/repository`;
  expectSignIn(ada);
  const { token } = people.owner;
  await comeBack(api, await startSignIn(api, token), { token });
  await api.ctx
    .db('code_host_installations')
    .insert({ installation_id: 7, account_login: 'acme', account_type: 'Organization', repos: ['acme/secret'] });
});
afterEach(() => nock.cleanAll());
afterAll(async () => {
  await api.stop();
});

const open = async (address: string, { token }: Account = people.owner, headers: Record<string, string> = {}) =>
  api.request('GET', address, { token, headers });
const asPart = { 'hx-request': 'true' };

describe('the repository of a suite', () => {
  it('stands without asking GitHub; the slow parts come after it, or by a link', async () => {
    const { status, body } = await open(path);
    expect(status).toBe(200);
    expect(body).toContain(`hx-get="${path}?look=choices" hx-trigger="load"`);
    expect(body).toContain(`<a href="${path}?look=choices">`);
    expect(body).toContain(`hx-get="${path}?look=doctor" hx-trigger="load"`);
  });

  it('is chosen among those that the own GitHub account sees, as a part and on the whole page', async () => {
    seesInstallations(ada, [ACME], 2);
    seesRepositories(ada, 7, [repository('acme/web', true), repository('acme/"shop"', false)], { times: 2 });
    const part = (await open(`${path}?look=choices`, people.owner, asPart)).body;
    expect(part).not.toContain('<html');
    expect(part).toContain('<optgroup label="acme">');
    expect(part).toContain('value="7 acme/web"');
    expect(part).not.toContain('acme/secret');
    const whole = (await open(`${path}?look=choices`)).body;
    expect(whole).toContain('<html');
    expect(whole).toContain('value="7 acme/web"');
  });

  it('says so when GitHub is away, and keeps the way by hand', async () => {
    apiOfGitHub().get('/api/v3/user/installations').query(true).reply(502, 'no');
    const { status, body } = await open(`${path}?look=choices`);
    expect(status).toBe(200);
    expect(body).toContain('GitHub');
    expect(body).toContain('name="installationId"');
    apiOfGitHub().get('/api/v3/user/installations').query(true).reply(401, { message: 'Bad credentials' });
    const lapsed = await open(`${path}?look=choices`, people.owner, asPart);
    expect(lapsed.status).toBe(200);
    expect(lapsed.body).toContain('role="status"');
  });

  it('says to who has linked no GitHub account what to do', async () => {
    expect((await open(`${path}?look=choices`, people.admin, asPart)).body).toContain('link your GitHub account');
  });

  it('offers nothing to choose to who may not link', async () => {
    expect((await open(path, people.editor)).body).not.toContain('look&#x3D;choices');
    expect((await open(`${path}?look=choices`, people.editor)).body).not.toContain('name="choice"');
    expect((await open(`${path}?look=choices`, people.editor, asPart)).status).toBe(403);
    expect((await open(`${path}?look=doctor`, people.stranger, asPart)).status).toBe(404);
  });

  it('is linked from the list, its check renamed, and unlinked', async () => {
    seesInstallations(ada, [ACME]);
    seesRepositories(ada, 7, [repository('acme/web', true)]);
    const { token } = people.owner;
    expect(ledTo(await postForm(api, path, { choice: '7 acme/web', checkContext: 'Looks' }, { token }))).toBe(
      `303 ${path}`,
    );
    const linked = (await open(path, people.viewer)).body;
    expect(linked).toContain('<strong>acme/web</strong>');
    expect(linked).toContain('check “Looks”');
    expect(linked).not.toContain('Unlink');
    expect((await open(`/suites/${suite.id}/settings`, people.viewer)).body).toContain(`href="${path}"`);
    // A repository that is already linked needs no proof, so another admin may change the name of its check.
    const named = { owner: 'acme', repo: 'web', installationId: '7', checkContext: '', linked: 'acme/web' };
    expect(ledTo(await postForm(api, path, named, { token: people.admin.token }))).toBe(`303 ${path}`);
    expect((await open(path)).body).toContain('Unlink acme/web from Docs?');
    const synchronize = `/suites/${suite.id}/synchronize`;
    expect((await open(path)).body).toContain(`action="${synchronize}"`);
    expect(ledTo(await postForm(api, synchronize, {}, { token }))).toBe(`303 ${path}`);
    const [job] = await api.ctx.db('graphile_worker.jobs').where({ task_identifier: 'synchronize-repository' });
    expect(job.key).toBe('synchronize/acme/web/everything');
    const [, shown = ''] = /name="linked" value="([^"]*)"/.exec((await open(path)).body) ?? [];
    expect(ledTo(await postForm(api, `/suites/${suite.id}/unlink`, { linked: shown }, { token }))).toBe(`303 ${path}`);
    expect((await open(path)).body).toContain('No repository is linked');
  });

  it('is not unlinked, nor replaced, where another one is linked than the page showed', async () => {
    const { token } = people.owner;
    const link = async (repo: string) =>
      api.ctx.db('test_suites').where({ id: suite.id }).update({
        codehost_owner: 'acme',
        codehost_repo: repo,
        codehost_installation_id: 7,
      });
    await link('web');
    const linked = [...String((await open(path)).body).matchAll(/name="linked" value="([^"]*)"/g)].map(
      ([, was]) => was,
    );
    expect(linked).toEqual(['acme/web', 'acme/web']);
    seesInstallations(ada, [ACME]);
    seesRepositories(ada, 7, [repository('acme/web', true)]);
    apiOfGitHub()
      .post('/api/v3/app/installations/7/access_tokens')
      .reply(201, { token: 'ghs_x', expires_at: '2999-01-01T00:00:00Z' });
    const pull = {
      number: 7,
      title: 'Prices',
      user: null,
      head: { ref: 'prices' },
      updated_at: '2026-01-01T00:00:00Z',
    };
    apiOfGitHub().get('/api/v3/repos/acme/web/pulls').query(true).reply(200, [pull]);
    expect((await open(`/suites/${suite.id}/first-check`)).body).toContain(
      'name="number" value="7"><input type="hidden" name="linked" value="acme/web">',
    );
    await link('shop');
    const unlinked = await postForm(api, `/suites/${suite.id}/unlink`, { linked: 'acme/web' }, { token });
    expect([unlinked.status, unlinked.body]).toEqual([409, expect.stringContaining('is now linked to acme/shop')]);
    const named = { owner: 'acme', repo: 'shop', installationId: '7', checkContext: 'Looks', linked: 'acme/web' };
    expect((await postForm(api, path, named, { token })).status).toBe(409);
    const first = { number: '7', linked: 'acme/web' };
    const started = await postForm(api, `/suites/${suite.id}/first-check`, first, { token });
    expect([started.status, started.body]).toEqual([409, expect.stringContaining('is now linked to acme/shop')]);
    expect((await open(path)).body).not.toContain('check “Looks”');
    expect((await open(path)).body).toContain('<strong>acme/shop</strong>');
  });

  it('is refused, with what was typed, where the own account does not see it', async () => {
    seesInstallations(ada, [ACME]);
    seesRepositories(ada, 7, [repository('acme/web', true)]);
    const fields = { owner: 'acme', repo: 'secret', installationId: '7', checkContext: '' };
    const { status, body } = await postForm(api, path, fields, people.owner);
    expect(status).toBe(403);
    expect(body).toContain('Your GitHub account cannot see acme/secret');
    expect(body).toContain('value="secret"');
  });
});
