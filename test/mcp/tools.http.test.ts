import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { halfBlack, runInFlight, setStage, type Stage } from '../api/fixture.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { storeChanges } from '../support/changes.ts';
import { screenshot } from '../support/world.ts';
import { connect2026, type Agent } from './agents.ts';

let api: TestApi;
let owner: Account;
let stage: Stage;
let agent: Agent;

beforeAll(async () => {
  api = await startTestApi();
  owner = await api.account('owner');
});
afterAll(async () => {
  await api.stop();
});

beforeEach(async () => {
  stage = await setStage(api, owner, await api.account('other'));
  await storeChanges(api.ctx.db, [stage.changed], { '/changed': 'de' });
  const { body } = await api.request('POST', '/api/tokens', { token: owner.token, body: { name: 'agent' } });
  agent = await connect2026(api, body.secret);
});

it('finds the run of a commit, branch or pull request', async () => {
  const headSha = 'c0ffee'.padEnd(40, '1');
  const started = await agent.call('start_run', {
    id: stage.suite.id,
    targetBaseUrl: 'http://preview.test',
    branch: 'new-menu',
    headSha,
    prNumber: 12,
  });
  const id = started.data.testRunId;
  for (const asked of [{ headSha: 'C0FFEE' }, { headSha }, { branch: 'new-menu' }, { pullRequest: 12 }]) {
    const { data } = await agent.call('find_runs', { testSuiteId: stage.suite.id, ...asked });
    expect(data.testRuns.map((run: { id: string }) => run.id)).toEqual([id]);
  }
  expect((await agent.call('find_runs', { headSha: 'c0ffff' })).data.testRuns).toEqual([]);
  const { data } = await agent.call('cancel_run', { id });
  expect(data).toMatchObject({ id, status: 'CANCELLED' });
});

it('waits for a run that is in flight for as long as is asked, and not for one that has ended', async () => {
  const id = await runInFlight(api, owner, stage.suite);
  expect((await agent.call('wait_for_run', { id, seconds: 1 })).data).toMatchObject({ id, status: 'PENDING' });
  setTimeout(() => void agent.call('cancel_run', { id }), 500);
  expect((await agent.call('wait_for_run', { id, seconds: 30 })).data).toMatchObject({ id, status: 'CANCELLED' });
  expect((await agent.call('wait_for_run', { id: stage.runId })).data.status).toBe('COMPLETED');
  expect(await agent.call('wait_for_run', { id, seconds: 46 })).toMatchObject({ isError: true });
});

it('tells of pages that could not be captured wherever it tells of a run, which else looks as if it passed', async () => {
  await api.ctx.db('test_runs').where({ id: stage.runId }).update({ review_state: 'NOT_REQUIRED' });
  const seen = { status: 'COMPLETED', reviewState: 'NOT_REQUIRED', metadata: { errorTests: 1 } };
  expect((await agent.call('wait_for_run', { id: stage.runId })).data).toMatchObject(seen);
  const { data } = await agent.call('find_runs', { testSuiteId: stage.suite.id });
  expect(data.testRuns).toContainEqual(expect.objectContaining({ id: stage.runId, ...seen }));
});

it('summarizes a run by cause, ten changes a page', async () => {
  await storeChanges(api.ctx.db, [stage.changed], { '/changed': 'abcdef012345' });
  const first = await agent.call('summarize_run', { id: stage.runId });
  expect(first.data).toMatchObject({
    changeCount: 12,
    undecided: expect.any(Number),
    counts: { error: expect.any(Number) },
  });
  expect(first.data.changes).toHaveLength(10);
  const { data, nextCursor } = await agent.call('summarize_run', { id: stage.runId, cursor: first.nextCursor });
  expect([data.changes.length, nextCursor]).toEqual([2, undefined]);
});

it('shows a change with pictures before and after, small ones', async () => {
  for (const letter of ['a', 'b']) await api.ctx.storage.put(screenshot(stage.suite, letter), halfBlack(5));
  const { data, images } = await agent.call('show_change', { id: stage.runId, changeId: 'd'.repeat(32) });
  expect(data).toMatchObject([{ pages: ['/changed'], state: 'PENDING' }]);
  expect(images.map(({ mimeType }) => mimeType)).toEqual(['image/webp', 'image/webp']);
  for (const image of images) expect(image.data.length).toBeLessThan(17_000);
});

it('says why results failed, and which setting mends it', async () => {
  const { data } = await agent.call('explain_failures', { id: stage.runId });
  expect(data.errors).toMatchObject([
    {
      error: 'Error: The page returned 500 Internal Server Error',
      pages: ['/broken'],
      advice: { setting: 'config.screenshotConcurrency' },
    },
  ]);
});

it('tells the history and stability of a screenshot', async () => {
  const asked = { id: stage.suite.id, path: '/changed', viewport: stage.changed.viewport };
  const { data } = await agent.call('screenshot_history', asked);
  expect(data.versions).toMatchObject([{ version: 1 }]);
  expect(data.results).toMatchObject([{ testRunId: stage.runId, status: 'FAIL' }, { status: 'PASS' }]);
  expect((await agent.call('screenshot_history', { ...asked, path: '/none' })).data.details.code).toBe('not_found');
});

it('lists suites', async () => {
  const { data } = await agent.call('list_suites');
  expect(data).toContainEqual(expect.objectContaining({ id: stage.suite.id, isActive: true }));
});

it('has no answer over 25,000 tokens, even of a run with endless texts', async () => {
  await storeChanges(api.ctx.db, [stage.changed], { '/changed': 'abcdef012345' });
  const long = 'é'.repeat(4000);
  await api.ctx.db('result_changes').update({ element: long, summary: long, before: long, after: long });
  await api.ctx.db('page_results').where({ status: 'ERROR' }).update({ error: long });
  const calls: [string, Record<string, unknown>][] = [
    ['find_runs', {}],
    ['summarize_run', { id: stage.runId }],
    ['explain_failures', { id: stage.runId }],
    ['list_suites', {}],
  ];
  for (const [name, given] of calls) expect((await agent.call(name, given)).bytes).toBeLessThan(30_000);
  expect(Buffer.byteLength(JSON.stringify(await agent.tools()))).toBeLessThan(25_000);
});

it('says which argument is missing, and which is no id', async () => {
  const issuesOf = async (given: Record<string, string>) =>
    (await agent.call('wait_for_run', given)).data.details.issues;
  expect(await issuesOf({})).toEqual([{ path: 'id', message: 'is required' }]);
  expect(await issuesOf({ id: 'newest' })).toEqual([{ path: 'id', message: 'must be a UUID' }]);
});
