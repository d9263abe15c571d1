import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { readConfig } from '../../../src/config.ts';
import { json } from '../../../src/db/json.ts';
import { expirePreview, findPreview, giveUpPreview, useBuild } from '../../../src/github/previews/find-preview.ts';
import { hearSignal } from '../../../src/github/previews/signal-store.ts';
import type { HeardSignal } from '../../../src/github/previews/signal.ts';
import { createNetwork } from '../../../src/net/create-network.ts';
import type { Network } from '../../../src/net/network.ts';
import { decideVerdict } from '../../../src/pull-requests/check/check-verdict.ts';
import { formatSummary } from '../../../src/pull-requests/check/desired-check.ts';
import { readRunCheck } from '../../../src/pull-requests/check/run-check.ts';
import { cancelOutdatedRuns } from '../../../src/pull-requests/end-pull-request-run.ts';
import { searchPreviewsAgain } from '../../../src/pull-requests/previews/search-previews-again.ts';
import type { PullRequest } from '../../../src/pull-requests/pull-request.ts';
import { runAgain } from '../../../src/pull-requests/start-pull-request-run.ts';
import { getSuiteFor } from '../../../src/suites/read-suite.ts';
import { replaceSiteAccess } from '../../../src/suites/site-access/change-site-access.ts';
import type { SuiteForViewer } from '../../../src/suites/suite.ts';
import { links } from '../../pull-requests/check/check-situation.js';
import { createTestDatabase } from '../../support/database.ts';
import { approveRun } from '../../support/requests.ts';
import { html, startSmallSite, type SmallSite } from '../../support/small-site.ts';
import { nock, stubHttp } from '../../support/stub-http.ts';
import { handleEvent } from '../../support/take-deliveries.ts';
import { newViewer, type World } from '../../support/world.ts';
import * as fixture from '../check-world.ts';
import { deploymentEvent, pullRequestEvent, sha } from '../webhooks/pull-request-payloads.ts';
import { heard } from './heard.ts';

stubHttp();

const API = 'http://github.test';
const REPO = '/api/v3/repos/acme/site';

let network: Network;
let world: World;
let owner: Viewer;
let suite: SuiteForViewer;
let site: SmallSite;
let pull: PullRequest;
let runId: string;
let heads = 0;

const database = await createTestDatabase();
afterAll(() => database.drop());

beforeEach(async () => {
  nock.disableNetConnect();
  nock.enableNetConnect('127.0.0.1');
  fixture.letIn();
  const connected = fixture.connectedWorld(database.db);
  network = createNetwork({ allowPrivateTargets: true, log: connected.ctx.log });
  world = { ...connected, ctx: { ...connected.ctx, network } };
  site = await startSmallSite(new Map([['/', html('Home', 'Welcome')]]));
  owner = await newViewer(world);
  suite = await fixture.linkedSuite(world, owner, ['/', '/a']);
  heads += 1;
  pull = await fixture.newPullRequest(world, { number: 7000 + heads, headSha: sha(`d${heads}`) });
  runId = await fixture.waitingRun(world, suite, pull);
});
afterEach(async () => {
  await Promise.all([fixture.unlink(world, suite), site.stop(), network.close()]);
  // Names that several pull requests of a repository had count for all of them.
  await world.db('preview_signals').delete();
  nock.cleanAll();
});

const BEGAN = sha('be9a');
const FILE = `${REPO}/contents/${encodeURIComponent('.github/pixelgate.yml')}`;

/** The file at the head, as it was where the branch began and, if not said otherwise, is on the base. Null: there is none. */
function settings(text: string | null, onBase = text, began = text): void {
  for (const [ref, said] of [
    [pull.headSha, text],
    [BEGAN, began],
    ['main', onBase],
  ] as const) {
    const content = Buffer.from(said ?? '').toString('base64');
    const file = { type: 'file', encoding: 'base64', size: content.length, name: 'pixelgate.yml', content };
    const answer = nock(API).persist().get(FILE).query({ ref });
    if (said === null) answer.reply(404, { message: 'Not Found' });
    else answer.reply(200, file);
  }
  const commit = { sha: BEGAN, commit: { committer: { date: '2026-01-01T00:00:00Z' } } };
  const compared = nock(API).persist().get(`${REPO}/compare/main...${pull.headSha}`).query(true);
  compared.reply(200, { merge_base_commit: commit });
}

type ChangedFile = { filename: string; previous_filename?: string; status?: string; contents_url?: string };

function changed(files: ChangedFile[]): void {
  nock(API).persist().get(`${REPO}/pulls/${pull.number}/files`).query({ per_page: '100' }).reply(200, files);
}

/** As if it had been reported some minutes ago. */
async function hear(said: Partial<HeardSignal>, minutesAgo = 5): Promise<void> {
  const { owner: account, repo, headSha } = pull;
  const signal = heard({ owner: account, repo, headSha, ...said });
  await hearSignal(world.db, signal, new Date(Date.now() - minutesAgo * 60_000));
}

/** As if it had been reported some minutes ago, so the deployment is not still starting up. */
async function deployed(url: string, minutesAgo = 5): Promise<void> {
  await hear({ url }, minutesAgo);
}

async function uploadedBuild(digest = 'd'): Promise<string> {
  const [build] = await world
    .db('builds')
    .insert({ test_suite_id: suite.id, status: 'READY', digest, files: 1, bytes: 1, head_sha: pull.headSha })
    .returning('id');
  return build.id;
}

const look = () => findPreview(world.ctx, { runId });
const run = () => world.db('test_runs').where({ id: runId }).first();

async function reason(): Promise<unknown> {
  const { status, metadata } = await run();
  return [status, metadata?.reason ?? null];
}

async function nextLook(): Promise<Date | null> {
  const job = await world
    .db('graphile_worker.jobs')
    .where({ key: `preview/${runId}` })
    .first('run_at');
  return job?.runAt ?? null;
}

const noJob = () =>
  world
    .db('graphile_worker._private_jobs')
    .where({ key: `preview/${runId}` })
    .delete();

describe('looking for a preview', () => {
  it('waits for an event where there is nothing yet', async () => {
    settings(null);
    await noJob();
    await look();
    expect(await reason()).toEqual(['PENDING', null]);
    expect(await nextLook()).toBeNull();
  });

  it('opens the run at the address of the deployment, once', async () => {
    settings(null);
    site.pages.set('/some/place/a', html('A', 'Words'));
    await deployed(`${site.origin}/some/place`);
    await Promise.all([look(), look()]);
    await look();
    expect(await run()).toMatchObject({
      status: 'PENDING',
      gitEnqueued: true,
      gitPreviewUrl: `${site.origin}/some/place`,
      targetBaseUrl: `${site.origin}/some/place`,
      totalResults: 2,
    });
    const results = await world.db('page_results').where({ test_run_id: runId }).orderBy('path').select('url');
    expect(results.map((result) => result.url)).toEqual([`${site.origin}/some/place/`, `${site.origin}/some/place/a`]);
    const captures = await world.db.raw(
      "select count(*) from graphile_worker._private_jobs where payload ->> 'suiteId' = ? and payload -> 'slot' is not null",
      [(await run()).testSuiteId],
    );
    expect(captures.rows).toEqual([{ count: 2 }]);
  });

  it('captures anew what was deployed again while it opened the run', async () => {
    settings(null);
    await hear({ url: site.origin, serial: 1 });
    await look();
    await hear({ url: site.origin, serial: 2 });
    await Promise.all([look(), look()]);
    const attempts = await world.db('test_runs').where({ git_pr_number: pull.number }).orderBy('git_attempt');
    expect(attempts.map(({ status, metadata }) => [status, metadata?.reason ?? null])).toEqual([
      ['CANCELLED', 'preview_replaced'],
      ['PENDING', null],
    ]);
  });

  it('takes an uploaded build of the commit, at the suite’s own address', async () => {
    settings(null);
    const build = await uploadedBuild();
    await look();
    expect(await run()).toMatchObject({ buildId: build, targetBaseUrl: suite.baseUrl, gitEnqueued: true });
  });

  it('is made to look again by a build that comes later, also when it had waited in vain', async () => {
    settings(null);
    await expirePreview(world.ctx, { runId });
    // As GitHub writes the name, and as somebody may have typed it.
    await world.db('test_suites').where({ id: suite.id }).update({ codehost_owner: 'ACME' });
    const build = await uploadedBuild();
    for (let delivery = 0; delivery < 2; delivery += 1) {
      await useBuild(world.ctx, { suiteId: suite.id, headSha: pull.headSha });
    }
    const runs = await world.db('test_runs').where({ git_pr_number: pull.number }).orderBy('git_attempt').select('id');
    expect(runs).toHaveLength(2);
    await findPreview(world.ctx, { runId: runs[1].id });
    const [row] = await world.db('test_runs').where({ id: runs[1].id });
    expect(row).toMatchObject({ buildId: build, gitEnqueued: true });
  });

  it('captures a commit anew when another build of it comes, or one beside its deployment, in any order', async () => {
    settings(null);
    await deployed(site.origin);
    await look();
    const attempts = async () =>
      world.db('test_runs').where({ git_pr_number: pull.number }).orderBy('git_attempt').select('id', 'build_id');
    const use = async () => {
      for (let delivery = 0; delivery < 2; delivery += 1) {
        await useBuild(world.ctx, { suiteId: suite.id, headSha: pull.headSha });
        for (const { id } of await attempts()) await findPreview(world.ctx, { runId: id });
      }
    };
    const first = await uploadedBuild('d');
    await use();
    await uploadedBuild('d');
    await use();
    const other = await uploadedBuild('e');
    await use();
    expect((await attempts()).map(({ buildId }) => buildId)).toEqual([null, first, other]);
    const [, replaced] = await attempts();
    const ended = await world.db('test_runs').where({ id: replaced.id }).first('status', 'metadata');
    expect(ended).toMatchObject({ status: 'CANCELLED', metadata: { reason: 'preview_replaced' } });
  });

  it('opens the run at the template of the repository where nothing was deployed', async () => {
    site.pages.set(`/pr-${pull.number}/`, html('Home', 'Welcome'));
    settings(`previewUrl: ${site.origin}/pr-{number}/\nsuites: { unknown: {} }`);
    await look();
    expect(await run()).toMatchObject({ gitEnqueued: true, gitPreviewUrl: `${site.origin}/pr-${pull.number}/` });
    const warnings = await world.db('test_run_logs').where({ test_run_id: runId, type: 'WARNING' }).select('message');
    expect(warnings).toEqual([{ message: expect.stringContaining('unknown') }]);
  });

  it('captures anew what is announced after the template’s address has answered, once', async () => {
    const url = `${site.origin}/pr-${pull.number}/`;
    site.pages.set(`/pr-${pull.number}/`, html('Home', 'Welcome'));
    settings(`previewUrl: ${site.origin}/pr-{number}/`);
    await look();
    const event = (id: number) => deploymentEvent({ head: pull.headSha, url, id });
    await handleEvent(world.ctx, 'deployment_status', event(1));
    await handleEvent(world.ctx, 'deployment_status', event(1));
    const attempts = () => world.db('test_runs').where({ git_pr_number: pull.number }).orderBy('git_attempt');
    expect((await attempts()).map(({ status, metadata }) => [status, metadata?.reason ?? null])).toEqual([
      ['CANCELLED', 'preview_replaced'],
      ['PENDING', null],
    ]);
    const [, again] = await attempts();
    await findPreview(world.ctx, { runId: again.id });
    await handleEvent(world.ctx, 'deployment_status', event(1));
    expect(await attempts()).toHaveLength(2);
  });

  it('keeps a build that came while it waited, whatever is announced afterwards', async () => {
    settings(null);
    await look();
    await uploadedBuild();
    await look();
    const event = deploymentEvent({ head: pull.headSha, url: site.origin, id: 1 });
    await handleEvent(world.ctx, 'deployment_status', event);
    expect(await world.db('test_runs').where({ git_pr_number: pull.number })).toHaveLength(1);
  });

  it('asks a template’s address again until it answers', async () => {
    site.pages.clear();
    settings(`previewUrl: ${site.origin}`);
    await noJob();
    await look();
    expect(await reason()).toEqual(['PENDING', null]);
    expect(await nextLook()).not.toBeNull();
    site.pages.set('/', html('Home', 'Welcome'));
    await look();
    expect((await run()).gitEnqueued).toBe(true);
  });

  it('gives a deployment some moments to come up, and then fails the run once, with the reason', async () => {
    site.pages.clear();
    settings(null);
    await deployed(site.origin, 0);
    await look();
    expect(await reason()).toEqual(['PENDING', null]);
    await deployed(`${site.origin}/x`);
    await look();
    const { metadata, status } = await run();
    expect([status, metadata]).toEqual([
      'FAILED',
      { reason: 'preview_unusable', error: expect.stringContaining('returned 404') },
    ]);
    expect(await world.db('page_results').where({ test_run_id: runId })).toEqual([]);
  });

  it.each(['', '/', '/index.html?pr=7', ':80/'])(
    'fails a run whose preview is the suite’s own site%s',
    async (rest) => {
      settings(null);
      await deployed(`http://site.test${rest}`);
      await look();
      expect(await reason()).toEqual(['FAILED', 'preview_unusable']);
      expect((await run()).metadata.error).toContain('is the suite’s own site, not a preview of it');
    },
  );

  it('takes the place below which the pages are, where the host gave no path', async () => {
    await world.db('test_suites').where({ id: suite.id }).update({ base_url: 'http://site.test/docs/' });
    await world.db('site_pages').where({ test_suite_id: suite.id, path: '/' }).update({ path: '/docs/' });
    site.pages.clear();
    site.pages.set('/docs/', html('Docs', 'Words'));
    settings(null);
    await deployed(site.origin);
    await look();
    expect(await run()).toMatchObject({ gitPreviewUrl: site.origin, targetBaseUrl: `${site.origin}/docs/` });
    const results = await world.db('page_results').where({ test_run_id: runId }).orderBy('path').select('path', 'url');
    expect(results).toEqual([
      { path: '/a', url: 'http://site.test/a' },
      { path: '/docs/', url: `${site.origin}/docs/` },
    ]);
  });

  it('fails a run whose preview asks for a login at once', async () => {
    site.pages.set('/', (response) => response.writeHead(401).end());
    settings(null);
    await deployed(site.origin, 0);
    await look();
    expect(await reason()).toEqual(['FAILED', 'preview_unusable']);
    const { metadata } = await run();
    const setting = expect.stringMatching(/To pass it, set .+ in “Access to the site”$/);
    expect(metadata).toMatchObject({ error: setting });
  });

  it.each([
    ['passes', ['127.0.0.1'], { gitEnqueued: true }, 'swordfish'],
    ['names', [], { metadata: { error: expect.stringContaining('Site access is not sent to 127.0.0.1') } }, undefined],
  ])('%s the wall of a preview, if hosts of previews are %j', async (_, previewHosts, outcome, sent) => {
    const asked = new Set<unknown>();
    for (const path of ['/', '/a']) {
      site.pages.set(path, (response) => {
        const token = response.req.headers['x-token'];
        asked.add(token);
        response.writeHead(token === undefined ? 401 : 200).end(html(`Page ${path}`, `Welcome to ${path}`));
      });
    }
    const admin = await getSuiteFor(world.ctx, owner, suite.id, 'suite.access');
    await replaceSiteAccess(world.ctx, admin, { headers: [{ name: 'X-Token', value: 'swordfish' }], previewHosts });
    settings(null);
    await deployed(site.origin, 0);
    await look();
    expect(await run()).toMatchObject(outcome);
    expect([...asked]).toEqual([sent]);
  });

  it('takes no preview on a host that is not among those that were named, and asks it nothing', async () => {
    settings(null);
    await deployed(site.origin);
    const { previewHosts } = readConfig({ PREVIEW_HOSTS: 'acme=*.acme.dev' });
    await findPreview({ ...world.ctx, config: { ...world.ctx.config, previewHosts } }, { runId });
    expect((await run()).metadata).toMatchObject({
      reason: 'preview_unusable',
      error: expect.stringContaining('not an allowed preview host'),
    });
    expect(site.requests).toEqual([]);
  });

  it('fails a run whose configuration file is broken, with the line', async () => {
    settings('ignoreDrafts: true\npaths: 7');
    await deployed(site.origin);
    await look();
    expect((await run()).metadata).toEqual({ reason: 'config_file', error: expect.stringContaining('2 | paths: 7') });
  });

  it('leaves a draft out where the repository says so', async () => {
    settings('ignoreDrafts: true');
    await deployed(site.origin);
    await fixture.changePullRequest(world, { ...pull, draft: true });
    await look();
    expect(await reason()).toEqual(['COMPLETED', 'draft_ignored']);
  });

  it('captures what became ready for review while it was looked at as a draft', async () => {
    const draft = { ...pull, draft: true };
    await fixture.changePullRequest(world, draft);
    nock(API)
      .get(FILE)
      .query({ ref: 'main' })
      .reply(200, async () => {
        const said = { number: pull.number, head: pull.headSha, at: 9, base: 'main' };
        await handleEvent(world.ctx, 'pull_request', pullRequestEvent('ready_for_review', said));
        const content = Buffer.from('ignoreDrafts: true').toString('base64');
        return { type: 'file', encoding: 'base64', size: content.length, name: 'pixelgate.yml', content };
      });
    settings('ignoreDrafts: true');
    await deployed(site.origin);
    await noJob();
    await look();
    expect(await reason()).toEqual(['PENDING', null]);
    expect(await nextLook()).not.toBeNull();
    await look();
    expect((await run()).gitEnqueued).toBe(true);
  });

  it('leaves out what changes no file that is meant', async () => {
    settings('paths: [web/**]');
    changed([{ filename: 'docs/a.md' }]);
    await deployed(site.origin);
    await look();
    expect(await reason()).toEqual(['COMPLETED', 'paths_unchanged']);
  });

  it('captures what changes the file that says so', async () => {
    settings('paths: [web/**]');
    changed([{ filename: '.github/pixelgate.yml' }]);
    await deployed(site.origin);
    await look();
    expect((await run()).gitEnqueued).toBe(true);
  });

  it('captures what changes another file that a symbolic link of that name leads to', async () => {
    settings('paths: [web/**]', null, null);
    changed([{ filename: 'ops/pixelgate.yml' }]);
    await deployed(site.origin);
    await look();
    expect((await run()).gitEnqueued).toBe(true);
  });

  it('goes by the newer file of the base where the branch only lacks it', async () => {
    settings('paths: [web/**]', 'paths: [docs/**]');
    changed([{ filename: 'docs/a.md' }]);
    await deployed(site.origin);
    await look();
    expect((await run()).gitEnqueued).toBe(true);
  });

  it.each([
    ['captures', 'of another head', [{ head: sha('01d') }], true],
    ['leaves out', 'of this head', [{ head: null }, { head: sha('ba5e'), status: 'removed' }], false],
  ])('%s what changes no file that is meant, by a list %s', async (_, _list, files, isCaptured) => {
    settings('paths: [web/**]');
    const toFile = ({ head, status }: { head: string | null; status?: string }) => {
      const ref = head ?? pull.headSha;
      return {
        filename: 'docs/a.md',
        status: status ?? 'modified',
        contents_url: `${API}${REPO}/contents/a?ref=${ref}`,
      };
    };
    changed(files.map(toFile));
    await deployed(site.origin);
    await look();
    expect((await run()).gitEnqueued).toBe(isCaptured);
  });

  it('counts the former name of a file', async () => {
    settings('paths: [web/**]');
    changed([{ filename: 'docs/a.md', previous_filename: 'web/a.md' }]);
    await deployed(site.origin);
    await look();
    expect((await run()).gitEnqueued).toBe(true);
  });

  it('is tried again when GitHub fails', async () => {
    nock(API).get(FILE).query(true).reply(502, { message: 'Bad gateway' });
    await deployed(site.origin);
    await expect(look()).rejects.toThrow('Bad gateway');
    expect(await reason()).toEqual(['PENDING', null]);
    settings(null);
    await look();
    expect((await run()).gitEnqueued).toBe(true);
  });
});

describe('a run whose time to wait is over', () => {
  it('ends with no preview having come', async () => {
    settings(null);
    await expirePreview(world.ctx, { runId });
    expect((await run()).metadata).toEqual({
      reason: 'preview_timeout',
      error: `No preview deployment of ${pull.headSha.slice(0, 7)} arrived within 30 minutes.`,
    });
  });

  it('ends with what keeps the preview from being ready', async () => {
    site.pages.clear();
    settings(`previewUrl: ${site.origin}`);
    await expirePreview(world.ctx, { runId });
    expect((await run()).metadata).toMatchObject({
      reason: 'preview_timeout',
      error: expect.stringContaining('returned 404'),
    });
  });

  it('ends although GitHub is silent', async () => {
    nock(API).get(FILE).query(true).reply(502, { message: 'Bad gateway' });
    await expirePreview(world.ctx, { runId });
    expect(await reason()).toEqual(['FAILED', 'preview_timeout']);
  });

  it('takes a preview that is there at the last moment', async () => {
    settings(null);
    await deployed(site.origin);
    await expirePreview(world.ctx, { runId });
    expect((await run()).gitEnqueued).toBe(true);
  });

  it('goes on when it has its preview', async () => {
    settings(null);
    await deployed(site.origin);
    await look();
    await expirePreview(world.ctx, { runId });
    await giveUpPreview(world.ctx, { runId });
    expect(await reason()).toEqual(['PENDING', null]);
  });
});

describe('a commit with several previews', () => {
  beforeEach(() => {
    site.pages.set('/app/', html('App', 'Welcome'));
  });
  const fits = () =>
    Promise.all([hear({ name: 'Preview – app', url: `${site.origin}/app` }), hear({ name: 'Preview – docs' })]);
  async function title(): Promise<string> {
    const check = await readRunCheck(world.db, runId);
    if (check === null) throw new Error('The run is gone');
    return decideVerdict(check).title;
  }

  it('has none captured, and its check asks which, with their names', async () => {
    settings(null);
    await fits();
    await look();
    expect(await reason()).toEqual(['PENDING', null]);
    expect(await title()).toBe('Which preview? 2 deployments fit');
    await expirePreview(world.ctx, { runId });
    expect((await run()).metadata).toMatchObject({
      reason: 'preview_ambiguous',
      error: expect.stringMatching(/deployment “Preview – (app|docs)”, deployment “Preview – (app|docs)”/),
    });
    expect(await title()).toBe('Which preview? 2 deployments fit');
    expect(site.requests).toEqual([]);
  });

  it('has that one captured that the repository names for the suite, by its name', async () => {
    settings(`suites:\n  ${suite.name.toUpperCase()}:\n    preview: { environment: '*app' }`);
    await fits();
    await look();
    expect(await run()).toMatchObject({ gitEnqueued: true, gitPreviewUrl: `${site.origin}/app` });
  });

  it('has that one captured that the suite names, as soon as it names it', async () => {
    settings(null);
    await fits();
    await expirePreview(world.ctx, { runId });
    await world
      .db('test_suites')
      .where({ id: suite.id })
      .update({ config: json({ preview: { environment: ['*app'] } }) });
    await searchPreviewsAgain(world.ctx, { suiteId: suite.id });
    const [again] = await world.db('test_runs').where({ git_pr_number: pull.number, git_attempt: 2 }).select('id');
    await findPreview(world.ctx, { runId: again?.id ?? '' });
    expect(await world.db('test_runs').where({ id: again?.id }).first('git_preview_url')).toEqual({
      gitPreviewUrl: `${site.origin}/app`,
    });
  });

  it('is searched for again at the newest 1,000 open pull requests', async () => {
    const searches = () =>
      world
        .db('graphile_worker.jobs')
        .where({ key: `preview/${runId}` })
        .select('id');
    await world.db('graphile_worker._private_jobs').delete();
    await world.db.raw(
      `insert into pull_requests (owner, repo, number, head_sha, head_branch, base_branch, installation_id, changed_at)
       select owner, repo, 100000 + newer, head_sha, head_branch, base_branch, installation_id, changed_at
       from pull_requests, generate_series(1, 1000) as newer where number = ?`,
      [pull.number],
    );
    await searchPreviewsAgain(world.ctx, { suiteId: suite.id });
    expect(await searches()).toEqual([]);
    await world.db('pull_requests').where({ number: 100001 }).update({ state: 'CLOSED' });
    await searchPreviewsAgain(world.ctx, { suiteId: suite.id });
    expect(await searches()).toHaveLength(1);
    await world.db('pull_requests').where('number', '>', 100000).delete();
  });

  it('of which only one came this time has none captured either', async () => {
    settings(null);
    await fits();
    const others = [1, 2].map((each) => ({
      ...pull,
      number: pull.number * 10 + each,
      headSha: sha(`f${heads}${each}`),
    }));
    for (const other of others) {
      await fixture.waitingRun(world, suite, await fixture.newPullRequest(world, other));
      await hear({ name: 'Preview – app', headSha: other.headSha }, 1);
    }
    await world.db('preview_signals').where({ head_sha: pull.headSha, name: 'Preview – app' }).delete();
    await look();
    expect(await title()).toBe('Which preview? 2 deployments fit');
  });
});

describe('a preview that will not come', () => {
  it('is known by its environment, which had previews at other commits', async () => {
    settings(null);
    await hear({ name: 'site', headSha: sha('01d'), host: 'old.test', url: 'https://old.test/' });
    await hear({ name: 'site', state: 'FAILED' });
    await hear({ name: 'tests', state: 'FAILED' });
    await look();
    expect(await reason()).toEqual(['FAILED', 'preview_failed']);
  });

  const link = 'https://host.test/log';

  it.each([
    ['FAILED', 'FAILED', 'preview_failed', 'The deployment of docs failed', 'failure'],
    ['SKIPPED', 'COMPLETED', 'preview_skipped', 'The deployment of docs was skipped', 'neutral'],
  ] as const)(
    'as it %s ends the wait at once, with its name and link',
    async (state, status, why, title, conclusion) => {
      settings(null);
      await hear({ name: 'Preview – docs', project: 'docs', state, link });
      await look();
      expect(await reason()).toEqual([status, why]);
      expect((await run()).metadata?.error).toContain(link);
      const check = await readRunCheck(world.db, runId);
      expect(check && decideVerdict(check)).toEqual({ status: 'completed', title, conclusion });
      expect(check && formatSummary(check, null, links).summary).toContain(
        `[\`deployment “Preview – docs”\`](<${link}>)`,
      );
    },
  );

  it('does not pass a pull request while what an earlier commit of it changed is not approved', async () => {
    await fixture.takeRun(world, runId);
    const changed = fixture.changedScreenshot(suite);
    await fixture.settleRun(world, owner, runId, [changed, fixture.sameScreenshot(suite)]);
    const earlier = { runId, headSha: pull.headSha };
    pull = { ...pull, headSha: sha(`e${heads}`) };
    await fixture.changePullRequest(world, pull);
    runId = await fixture.waitingRun(world, suite, pull);
    settings(null);
    await hear({ name: 'Preview – docs', project: 'docs', state: 'SKIPPED' });
    await look();
    expect(await reason()).toEqual(['FAILED', 'preview_skipped']);
    expect((await run()).metadata?.error).toContain(`The check of ${earlier.headSha.slice(0, 7)} has not passed.`);
    const check = await readRunCheck(world.db, runId);
    expect(check && decideVerdict(check)).toMatchObject({ conclusion: 'failure' });
    expect(check && formatSummary(check, null, links).summary).toContain('deploy this commit');

    await approveRun(world.ctx, owner, earlier.runId, {});
    await world.db.transaction((trx) => runAgain(trx, world.ctx, pull));
    runId = (await world.db('test_runs').where({ git_head_sha: pull.headSha, status: 'PENDING' }).first()).id;
    await look();
    expect(await reason()).toEqual(['COMPLETED', 'preview_skipped']);
  });

  it('does not pass a pull request whose earlier preview came too late to be captured', async () => {
    const earlier = pull;
    const superseded = runId;
    pull = { ...pull, headSha: sha(`e${heads}`) };
    await fixture.changePullRequest(world, pull);
    await world.db.transaction((trx) => cancelOutdatedRuns(trx, world.ctx, pull));
    expect(await world.db('test_runs').where({ id: superseded }).first('status')).toEqual({ status: 'CANCELLED' });
    runId = await fixture.waitingRun(world, suite, pull);
    settings(null);
    const name = { name: 'Preview – docs', project: 'docs' };
    await hear({ ...name, state: 'SKIPPED' });
    await hear({ ...name, headSha: earlier.headSha, state: 'PENDING' });
    await look();
    expect(await reason()).toEqual(['FAILED', 'preview_skipped']);

    await hear({ ...name, headSha: earlier.headSha, state: 'SKIPPED', step: 1 });
    await world.db.transaction((trx) => runAgain(trx, world.ctx, pull));
    runId = (await world.db('test_runs').where({ git_head_sha: pull.headSha, status: 'PENDING' }).first()).id;
    await look();
    expect(await reason()).toEqual(['COMPLETED', 'preview_skipped']);
  });

  it('is captured after all where another was announced while the run was being ended', async () => {
    settings(null);
    const named = { name: 'Preview – docs', project: 'docs' };
    await hear({ ...named, state: 'SKIPPED' });
    await look();
    expect(await reason()).toEqual(['COMPLETED', 'preview_skipped']);
    await look();
    await hear({ ...named, url: site.origin, serial: 9 });
    // Hearing of it queued this, and started no other attempt, because the run still waited.
    for (let job = 0; job < 2; job += 1) await look();
    const attempts = await world.db('test_runs').where({ git_pr_number: pull.number }).orderBy('git_attempt');
    expect(attempts.map(({ status }) => status)).toEqual(['COMPLETED', 'PENDING']);
  });

  it('is not what the pull request itself names in place of its preview', async () => {
    settings('preview: { check: lint }', null, null);
    await hear({ source: 'CHECK', name: 'lint', state: 'SKIPPED' });
    await deployed(site.origin);
    await look();
    expect(await run()).toMatchObject({ gitEnqueued: true, gitPreviewUrl: site.origin });
  });
});
