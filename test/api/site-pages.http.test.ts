import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApi, type Account, type Answer, type TestApi } from '../support/api-client.ts';
import { newSuite } from '../support/world.ts';
import { setStage, worldOf, type Stage } from './fixture.ts';

let api: TestApi;
let owner: Account;
let stage: Stage;
beforeAll(async () => {
  api = await startTestApi();
  owner = await api.account('owner');
  stage = await setStage(api, owner, await api.account('other'));
});
afterAll(async () => {
  await api.stop();
});

const call = (method: string, path: string, body?: unknown) =>
  api.request(method, `/api/test-suites/${stage.suite.id}/pages${path}`, { token: owner.token, body });
const fieldsOf = (answer: Answer): string[] => answer.body.details.issues.map((issue: { path: string }) => issue.path);
const NOBODY = '00000000-0000-4000-8000-000000000000';

describe('the pages of a suite', () => {
  it('come with their latest result, the crawl and the counts', async () => {
    const { body } = await call('GET', '');
    expect(body.counts).toEqual({ total: 3, tracked: 3, new: 0, removed: 0 });
    expect(body.crawl.status).toBe('IDLE');
    const byPath = new Map<string, any>(body.pages.map((page: { path: string }) => [page.path, page]));
    expect(byPath.get('/changed').latestResult).toEqual({
      testRunId: stage.runId,
      status: 'FAIL',
      diffScore: 2.5,
      viewports: { desktop: 'FAIL' },
    });
    expect(byPath.get('/broken').latestResult).toMatchObject({ status: 'ERROR', diffScore: null });
  });

  it('have a detail with the current baseline of each viewport', async () => {
    const { body } = await call('GET', `/${stage.pageId}`);
    expect(body).toMatchObject({
      page: { id: stage.pageId, path: '/changed' },
      baselines: [{ viewport: 'desktop', version: 1, source: 'INITIAL', approvedBy: null }],
      viewports: ['desktop'],
      versionCount: 1,
    });
    expect(body.baselines[0].filePath).toMatch(/^http:\/\/localhost:3000\/files\/suites\/.+\.png$/);
  });

  it('have a history, which can be narrowed to one viewport', async () => {
    const { body } = await call('GET', `/${stage.pageId}/history`);
    expect(body.page).toEqual({ id: stage.pageId, path: '/changed', url: 'http://site.test/changed' });
    expect(body.events).toMatchObject([
      { version: 1, previousFilePath: null, previousVersionId: null, diffScore: null },
    ]);
    const other = await call('GET', `/${stage.pageId}/history?viewport=mobile`);
    expect(other.body).toMatchObject({ events: [], viewports: ['desktop'] });
  });

  it.each(['', '/history'])('are not there under another id or another suite%s', async (rest) => {
    expect((await call('GET', `/${NOBODY}${rest}`)).status).toBe(404);
    expect((await call('GET', `/x${rest}`)).status).toBe(400);
    const other = await newSuite(worldOf(api), owner.user, []);
    const path = `/api/test-suites/${other.id}/pages/${stage.pageId}${rest}`;
    expect((await api.request('GET', path, { token: owner.token })).status).toBe(404);
  });
});

describe('acting on pages', () => {
  it('counts what changed', async () => {
    const act = (action: string, pageIds: string[]) => call('PATCH', '', { action, pageIds });
    expect((await act('untrack', [stage.pageId, NOBODY])).body.affected).toBe(1);
    expect((await act('untrack', [stage.pageId])).body.affected).toBe(0);
    expect((await act('track', [stage.pageId])).body.affected).toBe(1);
    expect((await act('acknowledge', [stage.pageId])).body.affected).toBe(0);
    expect((await act('delete', [])).body.affected).toBe(0);
  });

  it.each([
    [{}, ['action', 'pageIds']],
    [{ action: 'remove', pageIds: [] }, ['action']],
    [{ action: 'track', pageIds: ['x'] }, ['pageIds.0']],
    [{ action: 'track', pageIds: NOBODY }, ['pageIds']],
  ])('%j names what is wrong', async (body, fields) => {
    const answer = await call('PATCH', '', body);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, fields]);
  });
});

describe('adding a page by hand', () => {
  it('takes an address or a path, and tracks the page', async () => {
    const byPath = await call('POST', '', { path: '/by-hand?a=1#there' });
    expect(byPath).toMatchObject({ status: 201, body: { path: '/by-hand?a=1', tracked: true, status: 'ACTIVE' } });
    const byUrl = await call('POST', '', { url: 'http://site.test/by-hand?a=1' });
    expect(byUrl.body.id).toBe(byPath.body.id);
  });

  it.each([
    [{}, 'url'],
    [{ url: 'http://elsewhere.test/' }, 'url'],
    [{ url: '/relative' }, 'url'],
    [{ path: 'no-slash' }, 'path'],
    [{ url: 'http://site.test/', path: '/' }, 'url'],
  ])('refuses %j', async (body, field) => {
    const answer = await call('POST', '', body);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]]);
  });
});
