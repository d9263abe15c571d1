import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { newSuite } from '../support/world.ts';
import { worldOf } from './fixture.ts';

let api: TestApi;
let owner: Account;
beforeAll(async () => {
  api = await startTestApi();
  owner = await api.account('owner');
});
afterAll(async () => {
  await api.stop();
});

const call = (method: string, path: string, body?: unknown, as: Account = owner) =>
  api.request(method, `/api/manual-runs${path}`, { token: as.token, body });

describe('a manual run', () => {
  it('is on the origin of its URL, tracked without a crawl, with a run under way', async () => {
    const { status, body } = await call('POST', '', { url: 'http://site.test:8080/shop?page=2#top' });
    expect(status).toBe(201);
    expect(body.manualRun).toMatchObject({
      kind: 'MANUAL',
      name: 'site.test:8080/shop?page=2',
      baseUrl: 'http://site.test:8080',
      crawl: { status: 'IDLE' },
      access: { role: 'ADMIN', isOwner: true },
    });
    const read = await call('GET', `/${body.manualRun.id}`);
    expect(read.body).toMatchObject({
      kind: 'MANUAL',
      testRuns: [{ id: body.testRunId, runType: 'MANUAL' }],
      baselines: [],
    });
    const run = await api.request('GET', `/api/test-runs/${body.testRunId}`, { token: owner.token });
    expect(run.body.pageResults.map((result: { url: string }) => result.url)).toEqual([
      'http://site.test:8080/shop?page=2',
      'http://site.test:8080/shop?page=2',
    ]);
    expect((await call('GET', '')).body).toMatchObject([{ id: body.manualRun.id, _count: { testRuns: 1 } }]);
  });

  it('has the name that it is given', async () => {
    const { body } = await call('POST', '', { url: 'http://site.test/', name: ' Shop ' });
    expect(body.manualRun.name).toBe('Shop');
    const unnamed = await call('POST', '', { url: 'http://site.test/a', name: ' ' });
    expect(unnamed.body.manualRun.name).toBe('site.test/a');
  });

  it('can be run again', async () => {
    const { body } = await call('POST', '', { url: 'http://site.test/again' });
    const again = await call('POST', `/${body.manualRun.id}/run`);
    expect(again.status).toBe(202);
    expect(again.body.testRunId).not.toBe(body.testRunId);
  });

  it('is never crawled', async () => {
    const { body } = await call('POST', '', { url: 'http://site.test/still' });
    const answer = await api.request('POST', `/api/test-suites/${body.manualRun.id}/crawl`, { token: owner.token });
    expect(answer).toMatchObject({ status: 409, body: { details: { code: 'not_crawlable' } } });
  });

  it.each([{}, { url: 'site.test' }, { url: 'ftp://site.test/' }, { url: '/a' }, { url: 5 }])(
    'refuses %j',
    async (input) => {
      const { status, body } = await call('POST', '', input);
      expect([status, body.details.issues[0].path]).toEqual([400, 'url']);
    },
  );

  it('is there only for those who have access, and a crawled suite is none', async () => {
    const stranger = await api.account('stranger');
    const { body } = await call('POST', '', { url: 'http://site.test/private' });
    const { id } = body.manualRun;
    expect((await call('GET', `/${id}`, undefined, stranger)).status).toBe(404);
    expect((await call('POST', `/${id}/run`, undefined, stranger)).status).toBe(404);
    expect((await call('GET', '', undefined, stranger)).body).toEqual([]);
    const suite = await newSuite(worldOf(api), owner.user, ['/']);
    expect((await call('GET', `/${suite.id}`)).status).toBe(404);
    expect((await call('POST', `/${suite.id}/run`)).status).toBe(404);
    expect((await call('GET', '/x')).status).toBe(400);
  });

  it('takes a token', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', '/x'],
      ['POST', '/x/run'],
    ] as const) {
      expect((await api.request(method, `/api/manual-runs${path}`)).status).toBe(401);
    }
  });
});
