import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account, TestApi } from '../support/api-client.ts';
import { startTestApi } from '../support/api-client.ts';
import { Readable } from 'node:stream';
import { storeBuild } from '../../src/runs/builds/store-build.ts';
import { getSuiteFor } from '../../src/suites/read-suite.ts';
import { openBuild } from '../../src/runs/builds/open-build.ts';
import { removeBuildObjects, sweepBuilds } from '../../src/runs/builds/sweep-builds.ts';
import { buildListName } from '../../src/storage/object-name.ts';
import type { SuiteForViewer } from '../../src/suites/suite.ts';
import { newSuite } from '../support/world.ts';
import { tarGzOf, zipOf } from '../runs/builds/archives.ts';
import { worldOf } from './fixture.ts';

const SHA = 'a1'.repeat(20);
const DAY_MS = 86_400_000;

const SITE = [
  { path: 'index.html', content: '<h1>Home</h1>' },
  { path: 'app.css', content: 'h1 { color: red }' },
];

let api: TestApi;
let owner: Account;
let suite: SuiteForViewer;
beforeAll(async () => {
  api = await startTestApi();
  owner = await api.account('owner');
  suite = await newSuite(worldOf(api), owner.user, ['/']);
});
afterAll(async () => api.stop());

async function upload(archive: Buffer, query = '', token = owner.token) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' };
  const address = `${api.url}/api/test-suites/${suite.id}/builds${query}`;
  const answer = await fetch(address, { method: 'POST', headers, body: new Uint8Array(archive) });
  const body: any = await answer.json();
  return { status: answer.status, body };
}

const storedAs = async (id: string) => (await api.ctx.db('builds').where({ id }).first('stored_as')).storedAs;

describe('an uploaded build', () => {
  it('is stored, and once only, however it is packed', async () => {
    const first = await upload(tarGzOf(SITE), `?headSha=${SHA.toUpperCase()}`);
    expect(first).toMatchObject({ status: 201, body: { testSuiteId: suite.id, files: 2, bytes: 30, headSha: SHA } });
    const read = await api.request('GET', `/api/test-suites/${suite.id}/builds/${first.body.id}`, {
      token: owner.token,
    });
    expect(read.body).toEqual(first.body);
    const second = await upload(zipOf(SITE.toReversed()));
    expect(second.body).toMatchObject({ digest: first.body.digest, headSha: null });
    expect(second.body.id).not.toBe(first.body.id);
    expect(await storedAs(second.body.id)).toBe(await storedAs(first.body.id));
    const other = await upload(tarGzOf([...SITE, { path: 'more.html' }]));
    expect(await storedAs(other.body.id)).not.toBe(await storedAs(first.body.id));
  });

  it('holds few of its bytes in memory while it is stored, however many are uploaded at once', async () => {
    const MIB = 1024 * 1024;
    let [held, most] = [0, 0];
    const storage = {
      ...api.ctx.storage,
      async put(_name: string, bytes: Buffer) {
        held += bytes.length;
        most = Math.max(most, held);
        await new Promise((resolve) => {
          setTimeout(resolve, 1000);
        });
        held -= bytes.length;
      },
    };
    const archives = ['a', 'b', 'c'].map((name) =>
      tarGzOf([
        { path: 'index.html', content: name },
        ...['1', '2', '3', '4'].map((each) => ({ path: each, content: Buffer.alloc(30 * MIB, name + each) })),
      ]),
    );
    const owned = await getSuiteFor(api.ctx, owner.user, suite.id, 'suite.upload');
    await Promise.all(
      archives.map(async (archive) =>
        storeBuild({ ...api.ctx, storage }, owned, { stream: Readable.from([archive]), length: null, headSha: null }),
      ),
    );
    expect(most / MIB).toBeLessThanOrEqual(2 * 65);
  });

  it('answers requests as its site would', async () => {
    const { body } = await upload(tarGzOf([...SITE, { path: '404.html', content: 'nothing' }]));
    const site = await openBuild(api.ctx, suite, body.id);
    expect(site.origin).toBe(suite.origin);
    const get = async (path: string, method = 'GET') => site.answer(method, suite.origin + path);
    const css = { 'content-type': 'text/css; charset=utf-8' };
    expect(await get('/app.css?v=2')).toEqual({ status: 200, headers: css, body: Buffer.from('h1 { color: red }') });
    expect(await get('/')).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(await get('/gone')).toMatchObject({ status: 404, body: Buffer.from('nothing') });
    expect((await get('/', 'POST')).status).toBe(405);
  });

  it('that is bad is refused, and nothing of it is kept', async () => {
    const count = async () => api.ctx.db('builds').count();
    const before = await count();
    const refused = { status: 422, body: { details: { code: 'archive_refused' } } };
    expect(await upload(tarGzOf([...SITE, { path: '../out.html' }]))).toMatchObject(refused);
    expect(await upload(tarGzOf([{ path: 'app.js' }]))).toMatchObject(refused);
    expect(await upload(Buffer.from('nothing'))).toMatchObject(refused);
    expect((await upload(tarGzOf(SITE), '?headSha=main')).status).toBe(400);
    expect(await count()).toEqual(before);
  });

  it('takes an editor, or a token of the suite with the scope', async () => {
    const stranger = await api.account('stranger');
    expect((await upload(tarGzOf(SITE), '', stranger.token)).status).toBe(404);
    expect((await upload(tarGzOf(SITE), '', 'nobody')).status).toBe(401);
    const tokenFor = async (scope: string) => {
      const body = { name: 'CI', scopes: [scope] };
      return (await api.request('POST', `/api/test-suites/${suite.id}/tokens`, { token: owner.token, body })).body
        .secret;
    };
    expect((await upload(tarGzOf(SITE), '', await tokenFor('upload'))).status).toBe(201);
    expect((await upload(tarGzOf(SITE), '', await tokenFor('read'))).status).toBe(403);
  });
});

describe('a run of a build', () => {
  const run = async (body: unknown) =>
    api.request('POST', `/api/test-suites/${suite.id}/run`, { token: owner.token, body });

  it("is a BRANCH run at the suite's own address", async () => {
    const { body: build } = await upload(tarGzOf(SITE));
    const started = await run({ buildId: build.id, branch: 'menu', headSha: SHA, prNumber: 7 });
    expect(started.status).toBe(202);
    const { body } = await api.request('GET', `/api/test-runs/${started.body.testRunId}`, { token: owner.token });
    expect(body).toMatchObject({
      runType: 'BRANCH',
      buildId: build.id,
      git: { branch: 'menu', headSha: SHA, prNumber: 7 },
    });
    expect(body.pageResults[0].url).toBe(`${suite.origin}/`);
  });

  it('is named by its build, and not by the site that it does not show', async () => {
    const { body: build } = await upload(tarGzOf(SITE));
    const id = (await run({ buildId: build.id })).body.testRunId;
    const name = `build ${build.id.slice(0, 8)}`;
    const { body } = await api.request('GET', `/api/test-runs/${id}/logs`, { token: owner.token });
    expect(body.logs[0].message).toContain(`BRANCH run queued against ${name}, at ${suite.baseUrl}`);
    const shown = async (path: string) => {
      const answer = await fetch(api.url + path, { headers: { cookie: `pixelgate_session=${owner.token}` } });
      return answer.text();
    };
    const page = await shown(`/runs/${id}`);
    expect(page).toContain(`Uploaded ${name}`);
    expect(page).not.toContain(`href="${suite.baseUrl}`);
    expect(await shown(`/suites/${suite.id}/runs`)).toContain(name);
  });

  it('is not started for a build that is not there, nor for a preview as well', async () => {
    const { body: build } = await upload(tarGzOf(SITE));
    expect(await run({ buildId: suite.id })).toMatchObject({
      status: 422,
      body: { details: { code: 'no_such_build' } },
    });
    expect((await run({ buildId: build.id, targetBaseUrl: 'https://preview.example' })).status).toBe(400);
    expect((await run({ buildId: build.id, runType: 'MANUAL' })).status).toBe(400);
  });

  it('keeps its build, and one without a run is removed after a week', async () => {
    const used = (await upload(tarGzOf([{ path: 'used.html' }]))).body.id;
    const unused = (await upload(tarGzOf([{ path: 'unused.html' }]))).body.id;
    await run({ buildId: used });
    const folder = await storedAs(unused);
    api.advance(8 * DAY_MS);
    await sweepBuilds(api.ctx);
    expect(await api.ctx.db('builds').whereIn('id', [used, unused]).select('id')).toEqual([{ id: used }]);
    await removeBuildObjects(api.ctx, { suiteId: suite.id, storedAs: await storedAs(used) });
    await removeBuildObjects(api.ctx, { suiteId: suite.id, storedAs: folder });
    expect(await api.ctx.storage.stat(buildListName(suite.id, await storedAs(used)))).not.toBeNull();
    expect(await api.ctx.storage.stat(buildListName(suite.id, folder))).toBeNull();
  });
});
