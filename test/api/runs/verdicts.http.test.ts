import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PageResult } from '../../../src/runs/results/result.ts';
import type { SuiteForViewer } from '../../../src/suites/suite.ts';
import { startTestApi, type Account, type TestApi } from '../../support/api-client.ts';
import { finishedRun, newSuite } from '../../support/world.ts';
import { share, worldOf } from '../fixture.ts';

let api: TestApi;
let [ann, ben, eve]: Account[] = [];
let suite: SuiteForViewer;
let run: string;
let result: PageResult;

beforeAll(async () => {
  api = await startTestApi();
  [ann, ben, eve] = [await api.account('ann'), await api.account('ben'), await api.account('eve')];
});
afterAll(async () => {
  await api.stop();
});

const account = (who: Account | undefined): Account => {
  if (who === undefined) throw new Error('no such account');
  return who;
};

beforeEach(async () => {
  const world = worldOf(api);
  suite = await newSuite(world, account(ann).user, ['/a']);
  await share(api, suite, account(ann), account(ben), 'REVIEWER');
  await share(api, suite, account(ann), account(eve), 'VIEWER');
  await finishedRun(world, account(ann).user, suite, () => 'a');
  const finished = await finishedRun(world, account(ann).user, suite, () => 'b');
  const [first] = finished.results;
  if (first === undefined) throw new Error('no result');
  [run, result] = [`/api/test-runs/${finished.run.id}`, first];
});

const call = (who: Account | undefined, method: string, path: string, body?: unknown) =>
  api.request(method, `${run}${path}`, { token: account(who).token, body });

describe('decisions of two people', () => {
  it('say which state they are made on, and whoever comes second is told what happened', async () => {
    const path = `/results/${result.id}`;
    const asked = await call(ben, 'PATCH', path, {
      decision: 'request_changes',
      note: ' Too <b>pale</b> ',
      verdictNumber: 0,
    });
    expect([asked.status, asked.body]).toMatchObject([200, { verdictNumber: 1, changesRequested: true }]);
    const refused = await call(ann, 'PATCH', path, { decision: 'approve', verdictNumber: 0 });
    expect([refused.status, refused.body.details]).toMatchObject([
      409,
      {
        code: 'decided_meanwhile',
        verdictNumber: 1,
        verdicts: [{ decision: 'request_changes', note: 'Too <b>pale</b>', author: { id: account(ben).user.id } }],
      },
    ]);
    expect((await call(ann, 'PATCH', path, { decision: 'approve', verdictNumber: 1 })).status).toBe(200);
    const read = await call(eve, 'GET', '');
    expect(read.body).toMatchObject({ reviewState: 'PENDING', verdictNumber: 2, changeRequests: 1 });
    const requests = await call(eve, 'GET', '/change-requests');
    expect(requests.body).toMatchObject([{ resultId: result.id, path: '/a', note: 'Too <b>pale</b>' }]);
    const verdicts = await call(eve, 'GET', '/verdicts?limit=1');
    expect(verdicts.body).toMatchObject([{ number: 2, decision: 'approve', results: 1, author: { name: 'ann' } }]);
    expect(verdicts.headers.get('link')).toContain('rel="next"');
    expect((await call(ben, 'POST', '/verdicts', { decision: 'undo' })).body).toMatchObject({
      reviewState: 'APPROVED',
    });
    expect((await call(eve, 'GET', '')).body).toMatchObject({ changeRequests: 0 });
  });

  it.each([
    [{ decision: 'request_changes' }],
    [{ decision: 'request_changes', note: ' ' }],
    [{ decision: 'reject' }],
    [{ decision: 'approve', verdictNumber: -1 }],
    [{ decision: 'approve', resultIds: [] }],
    [{ decision: 'approve', resultIds: ['8b7f5a0e-0000-4000-8000-000000000000'] }],
  ])('are refused as %j, and nothing changes', async (body) => {
    expect((await call(ann, 'POST', '/verdicts', body)).status).toBe(400);
    expect((await call(ann, 'GET', '')).body).toMatchObject({ verdictNumber: 0, changeRequests: 0 });
  });
});

describe('comments', () => {
  const box = { x: 1, y: 2, width: 3, height: 4 };

  it('are written by whoever sees the run, and changed by their author only', async () => {
    const added = await call(eve, 'POST', '/comments', { resultId: result.id, box, body: ' What is <this>? ' });
    expect([added.status, added.body]).toMatchObject([
      201,
      { resultId: result.id, path: '/a', box, body: 'What is <this>?', author: { name: 'eve' } },
    ]);
    await call(ann, 'POST', '/comments', { body: 'On the run' });
    const path = `/comments/${added.body.id}`;
    expect((await call(ann, 'PATCH', path, { body: 'Mine' })).status).toBe(403);
    expect((await call(ann, 'DELETE', path)).status).toBe(403);
    expect((await call(eve, 'PATCH', path, { body: 'Ah' })).body).toMatchObject({ body: 'Ah', box });
    const all = await call(ben, 'GET', '/comments');
    expect(all.body.map((comment: { body: string }) => comment.body)).toEqual(['Ah', 'On the run']);
    expect((await call(ben, 'GET', `/comments?resultId=${result.id}`)).body).toHaveLength(1);
    expect((await call(eve, 'DELETE', path)).status).toBe(200);
    expect((await call(eve, 'DELETE', path)).status).toBe(404);
  });

  it('may have any character at any place, also where what is told of them ends', async () => {
    for (const before of [298, 299]) {
      const body = `${'x'.repeat(before)}😀 and more`;
      expect(await call(ann, 'POST', '/comments', { body })).toMatchObject({ status: 201, body: { body } });
    }
  });

  it('leave nothing in the timeline of what their author changed or deleted', async () => {
    const newest = async () => {
      const query = `runId=${run.split('/').at(-1)}&kind=comment.created`;
      return (await api.request('GET', `/api/events?${query}`, { token: account(eve).token })).body[0];
    };
    const { body } = await call(ann, 'POST', '/comments', { body: 'The key is 1234' });
    await call(ann, 'PATCH', `/comments/${body.id}`, { body: 'The key is elsewhere' });
    expect(await newest()).toMatchObject({ details: { text: 'The key is elsewhere' } });
    await call(ann, 'DELETE', `/comments/${body.id}`);
    expect(await newest()).toMatchObject({
      text: expect.stringMatching(/commented on run \d+$/),
      details: { text: null },
    });
  });

  it.each([
    [{ body: '' }],
    [{ body: 'x'.repeat(2001) }],
    [{ body: 'A box of the run', box }],
    [{ body: 'x', box: { ...box, width: 0 } }],
    [{ body: 'x', box: { ...box, x: 0.5 } }],
  ])('are refused as %j', async (body) => {
    expect((await call(ann, 'POST', '/comments', body)).status).toBe(400);
  });
});
