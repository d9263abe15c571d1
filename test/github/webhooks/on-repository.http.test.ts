import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApi, type TestApi } from '../../support/api-client.ts';
import { APP_ENVIRONMENT, deliveryHeaders } from '../../support/github-app.ts';
import { handleDeliveries } from '../../support/take-deliveries.ts';

let api: TestApi;
let suiteId: string;
beforeAll(async () => {
  api = await startTestApi(APP_ENVIRONMENT);
  const { token } = await api.account();
  const body = { name: 'Site', baseUrl: 'http://site.test' };
  suiteId = (await api.request('POST', '/api/test-suites', { token, body })).body.id;
});
afterAll(async () => api.stop());

async function deliver(payload: object): Promise<number> {
  const body = JSON.stringify(payload);
  const headers = deliveryHeaders('repository', randomUUID(), body);
  const { status } = await api.request('POST', '/api/github/webhooks', { raw: body, headers });
  await handleDeliveries(api.ctx);
  return status;
}

const repository = (login: string, name: string) => ({ name, full_name: `${login}/${name}`, owner: { login } });

async function link(owner: string, repo: string): Promise<void> {
  const columns = { codehost_owner: owner, codehost_repo: repo, codehost_installation_id: 7 };
  await api.ctx.db('test_suites').where({ id: suiteId }).update(columns);
}

async function linked() {
  const { codehostOwner, codehostRepo, codehostInstallationId } = await api.ctx
    .db('test_suites')
    .where({ id: suiteId })
    .first('codehost_owner', 'codehost_repo', 'codehost_installation_id');
  return [codehostOwner, codehostRepo, codehostInstallationId];
}

async function pullRequest(owner: string, repo: string, number: number, headSha: string): Promise<void> {
  await api.ctx.db('pull_requests').insert({
    owner,
    repo,
    number,
    head_sha: headSha,
    head_branch: 'topic',
    base_branch: 'main',
    installation_id: 7,
    changed_at: new Date(),
  });
}

describe('a repository with another name', () => {
  it('keeps its suites, its pull requests and its place in the installation', async () => {
    await link('Octo', 'Site');
    await api.ctx.db('code_host_installations').insert({
      installation_id: 7,
      account_login: 'Octo',
      repos: ['Octo/docs', 'Octo/Site'],
    });
    await pullRequest('octo', 'site', 1, 'older');
    await pullRequest('octo', 'site', 2, 'second');
    // An event with the new name arrives before the rename itself.
    await pullRequest('octo', 'home', 1, 'newer');
    const changes = { repository: { name: { from: 'site' } } };
    expect(await deliver({ action: 'renamed', repository: repository('Octo', 'Home'), changes })).toBe(200);
    expect(await linked()).toEqual(['Octo', 'Home', 7]);
    const rows = await api.ctx.db('pull_requests').orderBy('number').select('owner', 'repo', 'number', 'head_sha');
    expect(rows).toEqual([
      { owner: 'octo', repo: 'home', number: 1, headSha: 'newer' },
      { owner: 'octo', repo: 'home', number: 2, headSha: 'second' },
    ]);
    const installation = await api.ctx.db('code_host_installations').where({ installation_id: 7 }).first('repos');
    expect(installation).toEqual({ repos: ['Octo/Home', 'Octo/docs'] });
  });

  it('keeps its pull requests, previews and default branch when only the case of its name changes', async () => {
    await link('Octo', 'Cased');
    await pullRequest('octo', 'cased', 1, 'head');
    const names = { owner: 'octo', repo: 'cased' };
    await api.ctx.db('preview_signals').insert({ ...names, head_sha: 'head', source: 'STATUS', name: 'deploy' });
    await api.ctx.db('repositories').insert({ ...names, default_branch: 'main', told_at: new Date() });
    const changes = { repository: { name: { from: 'Cased' } } };
    expect(await deliver({ action: 'renamed', repository: repository('Octo', 'cased'), changes })).toBe(200);
    expect(await linked()).toEqual(['Octo', 'cased', 7]);
    const kept = await Promise.all(
      (['pull_requests', 'preview_signals', 'repositories'] as const).map((table) =>
        api.ctx.db(table).where(names).pluck('repo'),
      ),
    );
    expect(kept).toEqual([['cased'], ['cased'], ['cased']]);
  });

  it.each(['user', 'organization'])('keeps them with another owner too (%s)', async (kind) => {
    await link('Octo', 'Site');
    const changes = { owner: { from: { [kind]: { login: 'octo' } } } };
    const payload = {
      action: 'transferred',
      repository: repository('Other', 'Site'),
      changes,
      installation: { id: 8 },
    };
    expect(await deliver(payload)).toBe(200);
    expect(await linked()).toEqual(['Other', 'Site', 8]);
  });

  it('is another one when its name only looks alike, and other changes are none', async () => {
    await link('Octo', 'Site');
    const changes = { repository: { name: { from: 'site-2' } } };
    expect(await deliver({ action: 'renamed', repository: repository('Octo', 'Home'), changes })).toBe(200);
    expect(await deliver({ action: 'archived', repository: repository('Octo', 'Site') })).toBe(200);
    expect(await linked()).toEqual(['Octo', 'Site', 7]);
  });
});
