import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApi, type Account, type TestApi } from '../../support/api-client.ts';
import { finishedRun, newSuite } from '../../support/world.ts';
import { runInFlight, setStage, worldOf, type Stage } from '../fixture.ts';

let api: TestApi;
let owner: Account;
let other: Account;
beforeAll(async () => {
  api = await startTestApi();
  owner = await api.account('owner');
  other = await api.account('other');
});
afterAll(async () => {
  await api.stop();
});

const NOBODY = '00000000-0000-4000-8000-000000000000';
const call = (method: string, path: string, body?: unknown) =>
  api.request(method, `/api${path}`, { token: owner.token, body });
const stageOf = (): Promise<Stage> => setStage(api, owner, other);
const suiteWith = (paths: string[]) => newSuite(worldOf(api), owner.user, paths);

describe('starting a run', () => {
  it("with no body, or an empty one, goes against the suite's own address", async () => {
    const suite = await suiteWith(['/']);
    for (const sent of [{}, { body: {} }, { raw: '', headers: { 'content-type': 'application/json' } }]) {
      const path = `/api/test-suites/${suite.id}/run`;
      const { status, body } = await api.request('POST', path, { token: owner.token, ...sent });
      expect(status).toBe(202);
      const run = await call('GET', `/test-runs/${body.testRunId}`);
      expect(run.body).toMatchObject({ status: 'PENDING', runType: 'MANUAL', git: null, reviewState: 'NOT_REQUIRED' });
    }
  });

  it('with a target goes against the preview, and every result is there from the start', async () => {
    const suite = await suiteWith(['/a', '/b?c=d']);
    const input = { targetBaseUrl: 'http://preview.test:8080/', branch: 'redesign' };
    const { body } = await call('POST', `/test-suites/${suite.id}/run`, input);
    const run = await call('GET', `/test-runs/${body.testRunId}`);
    expect(run.body).toMatchObject({
      runType: 'BRANCH',
      git: { branch: 'redesign', previewUrl: 'http://preview.test:8080/' },
      testSuite: { id: suite.id },
      pageResults: [
        { url: 'http://preview.test:8080/a', path: '/a', viewport: 'desktop', status: 'PENDING', currentFile: null },
        { url: 'http://preview.test:8080/b?c=d', path: '/b?c=d', status: 'PENDING' },
      ],
    });
  });

  it('takes an address with a text that JSON writes for something else', async () => {
    const suite = await suiteWith(['/']);
    const targetBaseUrl = String.raw`http://preview.test/?\u0000`;
    const { status, body } = await call('POST', `/test-suites/${suite.id}/run`, { targetBaseUrl });
    expect(status).toBe(202);
    const { body: log } = await call('GET', `/test-runs/${body.testRunId}/logs`);
    expect(log.logs[0].message).toContain(targetBaseUrl);
  });

  it.each([
    [{ runType: 'BRANCH' }, 'targetBaseUrl'],
    [{ runType: 'MANUAL', targetBaseUrl: 'http://preview.test' }, 'targetBaseUrl'],
    [{ runType: 'MANUAL', buildId: NOBODY }, 'buildId'],
    [{ runType: 'PR' }, 'runType'],
    [{ runType: 'PR', targetBaseUrl: 'http://preview.test' }, 'runType'],
    [{ runType: 'OTHER' }, 'runType'],
    [{ targetBaseUrl: 'preview.test' }, 'targetBaseUrl'],
    [{ targetBaseUrl: 5 }, 'targetBaseUrl'],
    [{ prNumber: 7 }, 'prNumber'],
  ])('refuses %j', async (input, field) => {
    const suite = await suiteWith(['/']);
    const { status, body } = await call('POST', `/test-suites/${suite.id}/run`, input);
    expect([status, body.details.issues[0].path]).toEqual([400, field]);
  });

  it('says what a BRANCH run captures if neither is named', async () => {
    const suite = await suiteWith(['/']);
    const { body } = await call('POST', `/test-suites/${suite.id}/run`, { runType: 'BRANCH' });
    expect(body.error).toBe('A BRANCH run requires a preview or a build');
    expect(body.details.issues).toEqual([
      { path: 'targetBaseUrl', message: 'or buildId is required for a BRANCH run' },
    ]);
  });

  it('is refused with no tracked page, and while the suite is switched off', async () => {
    const empty = await suiteWith([]);
    expect((await call('POST', `/test-suites/${empty.id}/run`)).body.details.code).toBe('no_tracked_pages');
    const suite = await suiteWith(['/']);
    await call('PATCH', `/test-suites/${suite.id}`, { isActive: false });
    const off = await call('POST', `/test-suites/${suite.id}/run`);
    expect(off).toMatchObject({ status: 409, body: { details: { code: 'suite_not_active' } } });
  });
});

describe('the list of runs', () => {
  it('is in pages, newest first, of one suite or one status', async () => {
    const suite = await suiteWith(['/']);
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.unshift(await runInFlight(api, owner, suite));
    const list = async (query: string) => (await call('GET', `/test-runs?testSuiteId=${suite.id}${query}`)).body;
    const idsOf = (body: any): string[] => body.testRuns.map((run: { id: string }) => run.id);
    const first = await list('&limit=2');
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    expect(first.pagination).toEqual({ total: 3, limit: 2, offset: 0, hasMore: true });
    expect(first.testRuns[0]).toMatchObject({ testSuite: { id: suite.id, name: 'Site' }, _count: { pageResults: 1 } });
    const second = await list('&limit=2&offset=2');
    expect([idsOf(second), second.pagination.hasMore]).toEqual([ids.slice(2), false]);
    await call('PATCH', `/test-runs/${ids[0]}`, { action: 'cancel' });
    expect(idsOf(await list('&status=CANCELLED'))).toEqual(ids.slice(0, 1));
    expect((await list('&offset=50')).pagination).toEqual({ total: 3, limit: 20, offset: 50, hasMore: false });
  });

  it('holds only runs of suites that the caller may read', async () => {
    const stranger = await api.account('stranger');
    await runInFlight(api, owner, await suiteWith(['/']));
    const { body } = await api.request('GET', '/api/test-runs', { token: stranger.token });
    expect(body).toMatchObject({ testRuns: [], pagination: { total: 0, limit: 20, offset: 0, hasMore: false } });
  });

  it('has the runs of a commit in a repository with SHA-256', async () => {
    const suite = await suiteWith(['/']);
    const headSha = 'b0'.repeat(32);
    const input = { targetBaseUrl: 'http://preview.test', headSha };
    const { body: started } = await call('POST', `/test-suites/${suite.id}/run`, input);
    for (const asked of [`headSha=${headSha}`, `headSha=${headSha.slice(0, 41)}`, `search=${headSha}`]) {
      const { status, body } = await call('GET', `/test-runs?testSuiteId=${suite.id}&${asked}`);
      expect([asked, status, body.testRuns?.map((run: { id: string }) => run.id)]).toEqual([
        asked,
        200,
        [started.testRunId],
      ]);
    }
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'limit=1.5', 'offset=-1', 'status=DONE', 'testSuiteId=x'])(
    'refuses %s',
    async (query) => {
      expect((await call('GET', `/test-runs?${query}`)).status).toBe(400);
    },
  );

  it.each([
    ['limit=101', 'must be a whole number from 1 to 100'],
    ['offset=-1', 'must be a whole number from 0 to 1,000,000'],
    ['limit=x', 'must be a whole number from 1 to 100'],
  ])('says which numbers it takes instead of %s', async (query, message) => {
    const { body } = await call('GET', `/test-runs?${query}`);
    expect(body.details.issues).toEqual([{ path: query.split('=')[0], message }]);
  });
});

describe('the dashboard', () => {
  it('counts suites and runs in flight, and shows the newest runs', async () => {
    const someone = await api.account('someone');
    const suite = await newSuite(worldOf(api), someone.user, ['/']);
    const runId = await runInFlight(api, someone, suite);
    const { body } = await api.request('GET', '/api/dashboard', { token: someone.token });
    expect(body).toMatchObject({ totalTestSuites: 1, runningTests: 1, recentTestRuns: [{ id: runId }] });
    expect((await api.request('GET', '/api/dashboard')).status).toBe(401);
  });
});

describe('a run', () => {
  it('shows each result with addresses of its screenshots', async () => {
    const stage = await stageOf();
    const { body } = await call('GET', `/test-runs/${stage.runId}`);
    expect(body).toMatchObject({
      status: 'COMPLETED',
      reviewState: 'PENDING',
      metadata: { totalPages: 3, passedTests: 1, failedTests: 1, errorTests: 1 },
      testSuite: { id: stage.suite.id, access: { isOwner: true } },
    });
    const changed = body.pageResults.find((result: { path: string }) => result.path === '/changed');
    expect(changed).toMatchObject({ status: 'FAIL', diffScore: 2.5, isNew: false, approved: false, error: null });
    for (const file of [changed.currentFile, changed.baselineFile]) {
      expect(file).toMatch(new RegExp(`^http://localhost:3000/files/suites/${stage.suite.id}/[0-9a-z]{64}\\.png$`));
    }
  });

  it('has screenshots on the CDN where there is one', async () => {
    const onCdn = await startTestApi({ CDN_BASE_URL: 'https://cdn.example/shots/' });
    try {
      const person = await onCdn.account();
      const stage = await setStage(onCdn, person, await onCdn.account());
      const { body } = await onCdn.request('GET', `/api/baselines/${stage.baselineId}`, { token: person.token });
      expect(body.filePath).toMatch(/^https:\/\/cdn\.example\/shots\/suites\//);
    } finally {
      await onCdn.stop();
    }
  });

  it('groups its results by path and counts them', async () => {
    const stage = await stageOf();
    const { body } = await call('GET', `/test-runs/${stage.runId}/results`);
    expect(Object.keys(body.groups)).toEqual(['/broken', '/changed', '/same']);
    expect(body.stats).toEqual({ total: 3, passed: 1, failed: 1, errors: 1, pending: 0 });
    expect(body.urls['/changed']).toEqual({ passed: 0, failed: 1, errors: 0, pending: 0 });
  });

  it('lists results of one reason when it is asked to', async () => {
    const stage = await stageOf();
    const { body } = await call('GET', `/test-runs/${stage.runId}/results?cause=DRIFT`);
    expect(body).toMatchObject({ groups: {}, stats: { total: 0 } });
    expect((await call('GET', `/test-runs/${stage.runId}/results?cause=WEATHER`)).status).toBe(400);
  });

  it('has a log that can be polled for newer lines only', async () => {
    const stage = await stageOf();
    const all = (await call('GET', `/test-runs/${stage.runId}/logs`)).body;
    expect(all.count).toBe(all.logs.length);
    expect(all.logs[0]).toMatchObject({ type: 'SYSTEM', progress: 0 });
    const newer = (await call('GET', `/test-runs/${stage.runId}/logs?after=${all.logs[1].id}`)).body;
    expect(newer.logs).toEqual(all.logs.slice(2));
    const none = (await call('GET', `/test-runs/${stage.runId}/logs?after=${all.logs.at(-1).id}`)).body;
    expect(none).toEqual({ testRunId: stage.runId, logs: [], count: 0 });
    expect((await call('GET', `/test-runs/${stage.runId}/logs?after=x`)).status).toBe(400);
  });

  it.each([
    ['GET', '', undefined],
    ['GET', '/logs', undefined],
    ['GET', '/results', undefined],
    ['PATCH', '', { action: 'cancel' }],
    ['POST', '/approve-visuals', undefined],
    ['POST', '/rerun', { url: 'http://site.test/' }],
  ])('is not there under another id: %s %s', async (method, rest, body) => {
    expect((await call(method, `/test-runs/${NOBODY}${rest}`, body)).status).toBe(404);
    expect((await call(method, `/test-runs/x${rest}`, body)).status).toBe(400);
  });
});

describe('cancelling a run', () => {
  it('ends it and what was not settled, once', async () => {
    const runId = await runInFlight(api, owner, await suiteWith(['/']));
    const { status, body } = await call('PATCH', `/test-runs/${runId}`, { action: 'cancel' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'CANCELLED', pageResults: [{ status: 'CANCELLED' }] });
    expect(body.metadata.cancelledAt).toBe(body.endedAt);
    expect((await call('PATCH', `/test-runs/${runId}`, { action: 'cancel' })).status).toBe(409);
  });

  it('takes no other action', async () => {
    const runId = await runInFlight(api, owner, await suiteWith(['/']));
    for (const body of [{}, { action: 'pause' }])
      expect((await call('PATCH', `/test-runs/${runId}`, body)).status).toBe(400);
  });
});

describe('approving a run', () => {
  it('makes the changed screenshots baselines, once, with approver and note', async () => {
    const stage = await stageOf();
    const approve = () => call('POST', `/test-runs/${stage.runId}/approve-visuals`, { note: ' new colors ' });
    expect((await approve()).status).toBe(200);
    const run = (await call('GET', `/test-runs/${stage.runId}`)).body;
    expect(run.reviewState).toBe('APPROVED');
    expect(run.pageResults.find((result: { path: string }) => result.path === '/changed')).toMatchObject({
      approved: true,
      approvedById: owner.user.id,
    });
    expect((await approve()).status).toBe(200);
    const query = `suiteId=${stage.suite.id}&path=${encodeURIComponent('/changed')}&viewport=desktop`;
    expect((await call('GET', `/baseline-versions?${query}`)).body).toMatchObject([
      { version: 2, source: 'MANUAL', note: 'new colors', approvedBy: { id: owner.user.id }, diffScore: 2.5 },
      { version: 1, source: 'INITIAL', note: null, approvedBy: null, diffScore: null },
    ]);
    expect((await call('GET', `/baselines/${stage.baselineId}`)).body).toMatchObject({
      currentVersion: 2,
      isApproved: true,
    });
  });

  it('takes only results of the run', async () => {
    const stage = await stageOf();
    const approve = (resultIds: unknown) => call('POST', `/test-runs/${stage.runId}/approve-visuals`, { resultIds });
    expect((await approve([NOBODY])).status).toBe(400);
    expect((await approve(['x'])).status).toBe(400);
    expect((await approve('x')).status).toBe(400);
    expect((await approve([stage.changed.id])).status).toBe(200);
  });

  it('that is in flight is refused', async () => {
    const runId = await runInFlight(api, owner, await suiteWith(['/']));
    const answer = await call('POST', `/test-runs/${runId}/approve-visuals`);
    expect(answer).toMatchObject({ status: 409, body: { details: { code: 'run_in_flight' } } });
  });
});

describe('rerunning errors', () => {
  it('queues those of the page and no others', async () => {
    const stage = await stageOf();
    const rerun = (url: string) => call('POST', `/test-runs/${stage.runId}/rerun`, { url });
    expect((await rerun(stage.changed.url)).body.details.code).toBe('nothing_to_rerun');
    expect(await rerun(stage.broken.url)).toMatchObject({
      status: 202,
      body: { testRunId: stage.runId, rerunCount: 1 },
    });
    const { body } = await call('GET', `/test-runs/${stage.runId}`);
    expect(body.status).toBe('RUNNING');
    expect(body.pageResults.map((result: { status: string }) => result.status)).toEqual(['PENDING', 'FAIL', 'PASS']);
    expect((await rerun('x')).status).toBe(400);
    expect((await call('POST', `/test-runs/${stage.runId}/rerun`)).status).toBe(400);
  });

  it('is refused while the suite is switched off', async () => {
    const stage = await stageOf();
    await call('PATCH', `/test-suites/${stage.suite.id}`, { isActive: false });
    const answer = await call('POST', `/test-runs/${stage.runId}/rerun`, { url: stage.broken.url });
    expect(answer).toMatchObject({ status: 409, body: { details: { code: 'suite_not_active' } } });
    expect((await call('GET', `/test-runs/${stage.runId}`)).body.status).toBe('COMPLETED');
  });

  it('leaves a page of the same path in another run alone', async () => {
    const suite = await suiteWith(['/']);
    const { run } = await finishedRun(worldOf(api), owner.user, suite, () => 'a');
    const answer = await call('POST', `/test-runs/${run.id}/rerun`, { url: 'http://site.test/' });
    expect(answer.status).toBe(409);
  });
});
