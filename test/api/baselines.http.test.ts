import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PNG } from 'pngjs';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { newSuite, screenshot } from '../support/world.ts';
import { halfBlack, setStage, share, worldOf, type Stage } from './fixture.ts';

let api: TestApi;
let owner: Account;
let other: Account;
let stage: Stage;
beforeAll(async () => {
  api = await startTestApi();
  owner = await api.account('owner');
  other = await api.account('other');
  stage = await setStage(api, owner, other);
  await api.ctx.storage.put(screenshot(stage.suite, 'a'), halfBlack(0));
  await api.ctx.storage.put(screenshot(stage.suite, 'b'), halfBlack(5));
});
afterAll(async () => {
  await api.stop();
});

const NOBODY = '00000000-0000-4000-8000-000000000000';
const call = (method: string, path: string, body?: unknown, as: Account = owner) =>
  api.request(method, `/api${path}`, { token: as.token, body });
const versionsOf = async (path: string) => {
  const { body } = await call('GET', `/baseline-versions?suiteId=${stage.suite.id}&path=${encodeURIComponent(path)}`);
  return body;
};

describe('baselines', () => {
  it('are listed by suite and read by id', async () => {
    const { body } = await call('GET', `/baselines?testSuiteId=${stage.suite.id}`);
    expect(body.map((baseline: { path: string }) => baseline.path)).toEqual(['/broken', '/changed', '/same']);
    const one = await call('GET', `/baselines/${stage.baselineId}`);
    expect(one.body).toMatchObject({
      url: 'http://site.test/changed',
      viewport: 'desktop',
      isApproved: false,
      currentVersion: 1,
    });
    expect(body).toContainEqual(one.body);
  });

  it.each([
    '/baselines',
    '/baselines?testSuiteId=x',
    '/baselines/x',
    '/baseline-versions',
    '/baseline-versions?suiteId=x',
  ])('%s is refused', async (path) => {
    expect((await call('GET', path)).status).toBe(400);
    expect((await api.request('GET', `/api${path}`)).status).toBe(401);
  });

  it.each([`/baselines?testSuiteId=${NOBODY}`, `/baselines/${NOBODY}`, `/baseline-versions?suiteId=${NOBODY}`])(
    '%s is not there',
    async (path) => {
      expect((await call('GET', path)).status).toBe(404);
    },
  );
});

describe('promoting through the API', () => {
  it("makes a result's screenshot the current version, once", async () => {
    const promote = () => call('POST', '/baselines', { pageResultId: stage.changed.id, note: 'by hand' });
    const first = await promote();
    expect(first).toMatchObject({ status: 201, body: { id: stage.baselineId, currentVersion: 2, isApproved: true } });
    expect((await promote()).body.currentVersion).toBe(2);
    expect((await versionsOf('/changed'))[0]).toMatchObject({
      source: 'API',
      version: 2,
      note: 'by hand',
      approvedBy: { id: owner.user.id },
      pageResultId: stage.changed.id,
      testRunId: stage.runId,
    });
  });

  it('makes an old version current again', async () => {
    const [, first] = await versionsOf('/changed');
    const { status, body } = await call('POST', '/baselines', { baselineVersionId: first.id });
    expect([status, body.currentVersion]).toEqual([201, 3]);
    const [restored, replaced] = await versionsOf('/changed');
    expect(restored).toMatchObject({ version: 3, source: 'API', filePath: first.filePath, diffScore: 50 });
    expect(replaced.version).toBe(2);
  });

  it.each([
    [{}, 400],
    [{ pageResultId: 'x' }, 400],
    [{ pageResultId: NOBODY, baselineVersionId: NOBODY }, 400],
    [{ pageResultId: NOBODY }, 404],
    [{ baselineVersionId: NOBODY }, 404],
  ])('%j is refused with %i', async (body, status) => {
    expect((await call('POST', '/baselines', body)).status).toBe(status);
  });

  it('refuses a result that has no screenshot', async () => {
    expect((await call('POST', '/baselines', { pageResultId: stage.broken.id })).status).toBe(409);
  });
});

describe('comparing versions', () => {
  const compare = (body: unknown, as: Account = owner) => call('POST', '/baseline-versions/compare', body, as);

  it('answers the difference as a percentage, the likeness as a score, and an image of it', async () => {
    const [restored, replaced] = await versionsOf('/changed');
    const { status, body } = await compare({ fromVersionId: replaced.id, toVersionId: restored.id });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      from: { id: replaced.id, version: 2 },
      to: { id: restored.id, version: 3 },
      diffPercentage: 50,
      diffScore: 50,
      dimensions: { width: 10, height: 10 },
    });
    const path = new URL(body.diffFile).pathname;
    const diff = await fetch(api.url + path, { headers: { authorization: `Bearer ${owner.token}` } });
    expect(PNG.sync.read(Buffer.from(await diff.arrayBuffer()))).toMatchObject({ width: 10, height: 10 });
  });

  it('finds a version identical with itself', async () => {
    const [version] = await versionsOf('/same');
    const { body } = await compare({ fromVersionId: version.id, toVersionId: version.id });
    expect(body).toMatchObject({ diffPercentage: 0, diffScore: 100 });
  });

  it('takes access to the suites of both', async () => {
    const stranger = await api.account('stranger');
    const theirs = await setStage(api, stranger, other);
    const [version] = await versionsOf('/same');
    const pair = { fromVersionId: version.id, toVersionId: theirs.versionId };
    expect((await compare(pair)).status).toBe(404);
    expect((await compare(pair, stranger)).status).toBe(404);
    await api.ctx.storage.put(screenshot(theirs.suite, 'a'), halfBlack(1));
    await share(api, theirs.suite, stranger, owner, 'VIEWER');
    expect((await compare(pair)).body).toMatchObject({ diffPercentage: 10, diffScore: 90 });
  });

  it.each([
    [{}, 400],
    [{ fromVersionId: 'x', toVersionId: NOBODY }, 400],
    [{ fromVersionId: NOBODY, toVersionId: NOBODY }, 404],
  ])('%j is refused with %i', async (body, status) => {
    expect((await compare(body)).status).toBe(status);
    expect((await api.request('POST', '/api/baseline-versions/compare', { body })).status).toBe(401);
  });
});

describe('the history of a page', () => {
  it('shows each version beside the one before it, newest first', async () => {
    const { body } = await call('GET', `/test-suites/${stage.suite.id}/pages/${stage.pageId}/history`);
    const [third, second, first] = body.events;
    expect([third.version, second.version, first.version]).toEqual([3, 2, 1]);
    expect(third).toMatchObject({ previousVersionId: second.id, previousFilePath: second.filePath });
    expect(first).toMatchObject({ previousVersionId: null, previousFilePath: null, source: 'INITIAL' });
  });

  it('is empty for a page that was never captured', async () => {
    const suite = await newSuite(worldOf(api), owner.user, ['/fresh']);
    const { body } = await call('GET', `/test-suites/${suite.id}/pages`);
    const detail = await call('GET', `/test-suites/${suite.id}/pages/${body.pages[0].id}`);
    expect(detail.body).toMatchObject({ page: { latestResult: null }, baselines: [], viewports: [], versionCount: 0 });
  });
});
