import { readdir, readlink } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ARCHIVE_LIMITS } from '../../../src/archives/archive.ts';
import { siteBase } from '../../../src/net/site-base.ts';
import { jobKey } from '../../../src/queue/enqueue.ts';
import { hasJobs } from '../../../src/queue/job-store.ts';
import { openBuild } from '../../../src/runs/builds/open-build.ts';
import { storeBuild } from '../../../src/runs/builds/store-build.ts';
import { removeBuildObjects, sweepBuilds } from '../../../src/runs/builds/sweep-builds.ts';
import { buildListName, suitePrefix } from '../../../src/storage/object-name.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { getSuiteFor } from '../../../src/suites/read-suite.ts';
import { removeSuiteObjects } from '../../../src/suites/suite-life.ts';
import type { SuiteForViewer } from '../../../src/suites/suite.ts';
import { tarGzOf, zipOf } from '../../archives/archives.ts';
import { startTestApi, type Account, type TestApi } from '../../support/api-client.ts';
import { newSuite } from '../../support/world.ts';
import { worldOf } from '../fixture.ts';

const SHA = 'a1'.repeat(20);
const STAYS = new AbortController().signal;
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

const ofSuite = ({ id, baseUrl }: { id: string; baseUrl: string }) => ({ suiteId: id, base: siteBase(baseUrl) });

async function upload(archive: Buffer, query = '', token = owner.token) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' };
  const address = `${api.url}/api/test-suites/${suite.id}/builds${query}`;
  const answer = await fetch(address, { method: 'POST', headers, body: new Uint8Array(archive) });
  const body: any = await answer.json();
  return { status: answer.status, body };
}

const owned = async () => getSuiteFor(api.ctx, owner.user, suite.id, 'suite.upload');
const inputOf = (archive: Buffer) => ({ stream: Readable.from([archive]), length: null, headSha: null, gone: STAYS });
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

  it('leaves no file behind, even if the process is killed meanwhile', async () => {
    const names: string[] = [];
    const storage = {
      ...api.ctx.storage,
      async put() {
        for (const fd of await readdir('/proc/self/fd'))
          names.push(await readlink(`/proc/self/fd/${fd}`).catch(() => ''));
      },
    };
    await storeBuild({ ...api.ctx, storage }, await owned(), inputOf(tarGzOf([{ path: 'unnamed.html' }])));
    const archives = names.filter((name) => name.includes('pixelgate-build-'));
    expect(archives.length).toBeGreaterThan(0);
    for (const name of archives) expect(name).toMatch(/ \(deleted\)$/);
  });

  it('is dropped when its client leaves, with what was stored of it', async () => {
    const before = await api.ctx.db('builds').count();
    const client = new AbortController();
    let puts = 0;
    const storage = {
      ...api.ctx.storage,
      async put() {
        puts += 1;
        client.abort(new Error('The client has left'));
      },
    };
    const files = Array.from({ length: 40 }, (_, at) => ({ path: `${at}.html`, content: `${at}` }));
    const input = { ...inputOf(tarGzOf(files)), gone: client.signal };
    await expect(storeBuild({ ...api.ctx, storage }, await owned(), input)).rejects.toThrow('The client has left');
    expect(puts).toBeLessThan(5);
    expect(await api.ctx.db('builds').count()).toEqual(before);
    const removals = await api.ctx.db('graphile_worker.jobs').where({ task_identifier: 'remove-build-objects' });
    expect(removals.length).toBeGreaterThan(0);
  });

  it('goes with its suite, if that is deleted while it is stored', async () => {
    const going = await newSuite(worldOf(api), owner.user, ['/']);
    const of = await getSuiteFor(api.ctx, owner.user, going.id, 'suite.upload');
    const folders: string[] = [];
    const storage: Storage = {
      ...api.ctx.storage,
      async put(name, bytes) {
        if (folders.length === 0) {
          folders.push(...(await api.ctx.db('builds').where({ test_suite_id: going.id }).pluck('stored_as')));
          await api.request('DELETE', `/api/test-suites/${going.id}`, { token: owner.token });
          await removeSuiteObjects(api.ctx, { suiteId: going.id });
        }
        await api.ctx.storage.put(name, bytes);
      },
    };
    const storing = storeBuild({ ...api.ctx, storage }, of, inputOf(tarGzOf(SITE)));
    await expect(storing).rejects.toMatchObject({ kind: 'conflict' });
    const removal = { suiteId: going.id, storedAs: folders[0] ?? '' };
    expect(await hasJobs(api.ctx.db, [jobKey('remove-build-objects', removal)])).toBe(true);
    await removeBuildObjects(api.ctx, removal);
    const left: string[] = [];
    for await (const { name } of api.ctx.storage.list(suitePrefix(going.id))) left.push(name);
    expect(left).toEqual([]);
  });

  it('is read no further when its client leaves', async () => {
    const client = new AbortController();
    let stopped: (reason: unknown) => void = () => undefined;
    const reason = new Promise((resolve) => (stopped = resolve));
    const own = await startTestApi({}, (ctx) => ({
      ...ctx,
      archives: {
        ...ctx.archives,
        async list(_fd, _limits, signal) {
          signal.addEventListener('abort', () => stopped(signal.reason));
          client.abort();
          await reason;
          throw signal.reason;
        },
      },
    }));
    const { token, user } = await own.account();
    const { id } = await newSuite(worldOf(own), user, ['/']);
    const sent = fetch(`${own.url}/api/test-suites/${id}/builds`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(tarGzOf(SITE)),
      signal: client.signal,
    });
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
    expect(await reason).toBeDefined();
    await own.stop();
  });

  describe('beyond what a suite may keep', () => {
    const QUOTA = { limits: ARCHIVE_LIMITS, quota: { bytes: 100, builds: 3 } };
    const statusOf = async (id: string) => (await api.ctx.db('builds').where({ id }).first('status'))?.status;

    it('makes the oldest ones leave that no run in progress needs, and keeps their runs', async () => {
      const fresh = await newSuite(worldOf(api), owner.user, ['/']);
      const of = await getSuiteFor(api.ctx, owner.user, fresh.id, 'suite.upload');
      const put = async (letter: string) =>
        storeBuild(api.ctx, of, inputOf(tarGzOf([{ path: 'a.html', content: letter.repeat(40) }])), QUOTA);
      const run = async (buildId: string) =>
        api.request('POST', `/api/test-suites/${fresh.id}/run`, { token: owner.token, body: { buildId } });
      const [first, second] = [await put('a'), await put('b')];
      const captured = (await run(first.id)).body.testRunId;
      await put('c');
      expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(['READY', 'EXPIRED']);
      await run((await put('c')).id);
      await expect(put('d')).rejects.toMatchObject({ kind: 'conflict', details: { code: 'build_quota' } });
      await api.ctx.db('test_runs').where({ id: captured }).update({ status: 'COMPLETED' });
      await api.ctx.db('page_results').where({ test_run_id: captured }).update({ status: 'ERROR' });
      await put('d');
      expect(await statusOf(first.id)).toBe('EXPIRED');
      await removeBuildObjects(api.ctx, { suiteId: fresh.id, storedAs: first.storedAs });
      expect(await api.ctx.storage.stat(buildListName(fresh.id, first.storedAs))).toBeNull();

      const again = await api.request('POST', `/api/test-runs/${captured}/rerun`, {
        token: owner.token,
        body: { url: `${fresh.origin}/` },
      });
      expect(again).toMatchObject({ status: 409, body: { details: { code: 'build_expired' } } });
      await expect(openBuild(api.ctx, ofSuite(fresh), first.id)).rejects.toThrow('removed to make room');
      expect(await run(first.id)).toMatchObject({ status: 422, body: { details: { code: 'no_such_build' } } });
      await sweepBuilds(api.ctx);
      expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(['EXPIRED', undefined]);
    });
  });

  it('answers requests as its site would', async () => {
    const { body } = await upload(tarGzOf([...SITE, { path: '404.html', content: 'nothing' }]));
    const site = await openBuild(api.ctx, ofSuite(suite), body.id);
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
