import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PNG } from 'pngjs';
import { readDocument, sectionOf } from '../documents/markdown.ts';
import { MERGE_SHA, startActionsIssuer, type ActionsIssuer, type Claims } from '../support/actions-issuer.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { expectNoFaults } from '../support/expect-no-faults.ts';
import { checkOut, playWorkflow } from '../support/play-workflow.ts';
import { restClient, runIsOver, type RestClient } from '../support/rest-client.ts';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.ts';
import { html, startSmallSite, type SmallSite } from '../support/small-site.ts';
import { SOON_AT_REST } from '../support/soon-at-rest.ts';

const AUDIENCE = 'https://pixelgate.test';

let database: TestDatabase;
let dataDir: string;
let service: ServiceProcess;
let site: SmallSite;
let preview: SmallSite;
let issuer: ActionsIssuer;
let api: RestClient;

const links = '<a href="/">Home</a> <a href="/about">About</a> <a href="/prices">Prices</a>';

const sitePages = () =>
  new Map([
    ['/', html('Home', `${links}<h1>Home</h1>`)],
    ['/about', html('About us', `${links}<h1>About</h1>`)],
    ['/prices', html('Prices', `${links}<h1>Prices</h1><p style="background:#eee">10 a month</p>`)],
  ]);

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), 'pixelgate-journey-'));
  site = await startSmallSite(sitePages());
  preview = await startSmallSite(sitePages());
  issuer = await startActionsIssuer(AUDIENCE);
  service = await startServiceProcess({
    ...issuer.environment,
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PUBLIC_URL: AUDIENCE,
  });
  api = restClient(service.url);
  const credentials = { email: 'Ada@Example.com', password: 'correct horse', name: 'Ada' };
  api.token = (await api.call('POST', '/auth/register', credentials, 201)).token;
});
afterAll(async () => {
  await service.end();
  await Promise.all([site.stop(), preview.stop(), issuer.stop()]);
  try {
    await expectNoFaults(database.db, dataDir);
  } finally {
    await database.drop();
    await rm(dataDir, { recursive: true });
  }
});

const statuses = (run: any) =>
  run.pageResults.map(
    (result: any) => `${result.path} ${result.viewport} ${result.status}${result.isNew ? ' new' : ''}`,
  );

async function runToTheEnd(suiteId: string, body?: unknown): Promise<any> {
  const { testRunId } = await api.call('POST', `/test-suites/${suiteId}/run`, body, 202);
  return api.until(`/test-runs/${testRunId}`, runIsOver);
}

async function screenshot(address: string): Promise<PNG> {
  const where = new URL(address);
  const response = await fetch(service.url + where.pathname, { headers: { authorization: `Bearer ${api.token}` } });
  expect(response.status).toBe(200);
  return PNG.sync.read(Buffer.from(await response.arrayBuffer()));
}

it('goes from an address to reviewed, versioned baselines', async () => {
  const viewports = [{ name: 'desktop', width: 900, height: 600 }];
  const suite = await api.call(
    'POST',
    '/test-suites',
    { name: 'Site', baseUrl: site.origin, config: { viewports, recrawlInterval: 'off', ...SOON_AT_REST } },
    201,
  );
  expect(suite).toMatchObject({ kind: 'SUITE', crawl: { status: 'IDLE' }, access: { role: 'ADMIN', isOwner: true } });

  await api.call('POST', `/test-suites/${suite.id}/crawl`, undefined, 202);
  const crawled = await api.until(`/test-suites/${suite.id}/pages`, ({ crawl }) => crawl.status === 'COMPLETED');
  expect(crawled.crawl.lastStats).toEqual({ pagesFound: 3, pagesAdded: 3, pagesRemoved: 0 });
  expect(crawled.pages.map((page: any) => [page.path, page.title, page.status]).sort()).toEqual([
    ['/', 'Home', 'NEW'],
    ['/about', 'About us', 'NEW'],
    ['/prices', 'Prices', 'NEW'],
  ]);
  const pageIds = crawled.pages.map((page: any) => page.id);
  const tracked = await api.call('PATCH', `/test-suites/${suite.id}/pages`, { action: 'track', pageIds });
  expect(tracked.affected).toBe(3);

  const first = await runToTheEnd(suite.id);
  expect(first).toMatchObject({ status: 'COMPLETED', reviewState: 'NOT_REQUIRED' });
  expect(statuses(first)).toEqual(['/ desktop PASS new', '/about desktop PASS new', '/prices desktop PASS new']);

  const unchanged = await runToTheEnd(suite.id);
  expect(statuses(unchanged)).toEqual(['/ desktop PASS', '/about desktop PASS', '/prices desktop PASS']);
  expect(unchanged.metadata).toMatchObject({ passedTests: 3, failedTests: 0, errorTests: 0 });

  preview.pages.set('/prices', html('Prices', `${links}<h1>Prices</h1><p style="background:#e00">12 a month</p>`));
  preview.pages.delete('/about');
  const branch = await runToTheEnd(suite.id, { targetBaseUrl: preview.origin, branch: 'red' });
  expect(branch).toMatchObject({
    runType: 'BRANCH',
    status: 'COMPLETED',
    reviewState: 'PENDING',
    git: { branch: 'red' },
  });
  expect(statuses(branch)).toEqual(['/ desktop PASS', '/about desktop ERROR', '/prices desktop FAIL']);
  const [, missing, changed] = branch.pageResults;
  expect(missing.error).toContain('404');
  expect(changed.diffScore).toBeGreaterThan(0);
  const [baseline, current, diff] = await Promise.all(
    [changed.baselineFile, changed.currentFile, changed.diffFile].map(screenshot),
  );
  expect([baseline?.width, current?.width, diff?.width]).toEqual([900, 900, 900]);

  preview.pages.set('/about', html('About us', `${links}<h1>About</h1>`));
  const rerun = await api.call('POST', `/test-runs/${branch.id}/rerun`, { url: missing.url }, 202);
  expect(rerun).toMatchObject({ testRunId: branch.id, rerunCount: 1 });
  const healed = await api.until(`/test-runs/${branch.id}`, runIsOver);
  expect(statuses(healed)).toEqual(['/ desktop PASS', '/about desktop PASS', '/prices desktop FAIL']);

  await api.call('POST', `/test-runs/${branch.id}/approve-visuals`, { note: 'new price' });
  const versions = await api.call('GET', `/baseline-versions?suiteId=${suite.id}&path=/prices&viewport=desktop`);
  expect(versions.map((version: any) => [version.version, version.source, version.approvedBy?.email ?? null])).toEqual([
    [2, 'BRANCH', 'Ada@Example.com'],
    [1, 'INITIAL', null],
  ]);
  const compared = await api.call('POST', '/baseline-versions/compare', {
    fromVersionId: versions[1].id,
    toVersionId: versions[0].id,
  });
  expect(compared.diffPercentage).toBe(changed.diffScore);
  expect(compared.diffScore).toBeCloseTo(100 - compared.diffPercentage, 6);

  const restored = await api.call('POST', '/baselines', { baselineVersionId: versions[1].id }, 201);
  expect(restored).toMatchObject({ currentVersion: 3, isApproved: true, filePath: versions[1].filePath });
  const afterwards = await runToTheEnd(suite.id);
  expect(statuses(afterwards)).toEqual(['/ desktop PASS', '/about desktop PASS', '/prices desktop PASS']);

  await api.call('DELETE', `/test-suites/${suite.id}`);
  await api.call('GET', `/test-suites/${suite.id}`, undefined, 404);
});

it('keeps idle connections for longer than proxies do, which is 60 seconds', async () => {
  const { headers } = await fetch(`${service.url}/healthz`);
  const [, seconds] = /^timeout=(\d+)$/.exec(headers.get('keep-alive') ?? '') ?? [];
  expect(Number(seconds)).toBeGreaterThan(60);
});

it('keeps a single page', async () => {
  const url = `${site.origin}/about?view=1`;
  site.pages.set('/about?view=1', html('About', 'One page'));
  const { manualRun, testRunId } = await api.call('POST', '/manual-runs', { url }, 201);
  expect(manualRun).toMatchObject({ kind: 'MANUAL', baseUrl: site.origin });
  expect(manualRun.name).toBe(`${new URL(url).host}/about?view=1`);
  const first = await api.until(`/test-runs/${testRunId}`, runIsOver);
  expect(first.pageResults.every((result: any) => result.isNew && result.status === 'PASS')).toBe(true);
  site.pages.set('/about?view=1', html('About', 'One other page'));
  const again = await api.call('POST', `/manual-runs/${manualRun.id}/run`, undefined, 202);
  const second = await api.until(`/test-runs/${again.testRunId}`, runIsOver);
  expect(second.reviewState).toBe('PENDING');
  expect(second.pageResults.map((result: any) => result.status)).toEqual(['FAIL', 'FAIL']);
});

describe('the workflows of the documentation', () => {
  const HEAD = 'a1'.repeat(20);
  const documented = sectionOf(readDocument('docs/github.md'), '## Without a preview: a build from a workflow');
  const [onPullRequest = '', onPush = ''] = [...documented.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text);
  const home = html('Home', `${links}<h1>Home</h1>`);
  let suiteId: string;
  let workspace: string;

  const play = async (workflow: string, github: Record<string, unknown>, claims: Claims) =>
    playWorkflow({
      workflow,
      workspace,
      inputs: { server: service.url },
      github: { repository: 'acme/web', sha: MERGE_SHA, ...github },
      environment: { ...issuer.jobEnvironment(claims), PIXELGATE_AUDIENCE: AUDIENCE },
    });

  beforeAll(async () => {
    workspace = await mkdtemp(path.join(tmpdir(), 'pixelgate-workspace-'));
    const viewports = [{ name: 'desktop', width: 900, height: 600 }];
    const config = { viewports, recrawlInterval: 'off', ...SOON_AT_REST };
    const suite = { name: 'Docs', baseUrl: site.origin, config };
    suiteId = (await api.call('POST', '/test-suites', suite, 201)).id;
    await api.call('POST', `/test-suites/${suiteId}/pages`, { path: '/' }, 201);
    await runToTheEnd(suiteId);
    const link = { codehost_owner: 'acme', codehost_repo: 'web', codehost_installation_id: 7 };
    const linked = { ...link, codehost_repository_id: 4242 };
    await database.db('test_suites').where({ id: suiteId }).update(linked);
  });
  afterAll(async () => rm(workspace, { recursive: true }));

  it('upload a build for the head of a pull request, and nothing for a fork', async () => {
    await checkOut(workspace, home);
    await database.db('pull_requests').insert({
      owner: 'acme',
      repo: 'web',
      number: 7,
      head_sha: HEAD,
      head_branch: 'topic',
      base_branch: 'main',
      from_fork: false,
      state: 'CLOSED',
      installation_id: 7,
      changed_at: new Date(),
    });
    const event = (fullName: string) => ({
      head_ref: 'topic',
      event: { pull_request: { number: 7, head: { sha: HEAD, repo: { full_name: fullName } } } },
    });
    const claims = { event_name: 'pull_request', ref: 'refs/pull/7/merge' };
    const played = await play(onPullRequest, event('acme/web'), claims);
    expect(played).toMatchObject({ code: 0, summary: expect.stringContaining('Uploaded') });
    const build = await database.db('builds').where({ id: played?.outputs['answer'] }).first();
    expect(build).toMatchObject({ testSuiteId: suiteId, headSha: HEAD, files: 1, status: 'READY' });
    expect(await play(onPullRequest, event('mallory/web'), claims)).toBeNull();
  });

  it('run a build, and fail while its changes await review', async () => {
    const pushed = { ref_name: 'main', event: {} };
    await checkOut(workspace, home.replace('<h1>Home', '<h1 style="background:#e00">Home'));
    const changed = await play(onPush, pushed, {});
    expect(changed).toMatchObject({ code: 1, summary: expect.stringContaining('Changes await review') });
    const run = await api.call('GET', `/test-runs/${changed?.outputs['answer']?.split('/').at(-1)}`);
    expect(run).toMatchObject({ testSuiteId: suiteId, git: { branch: 'main', headSha: MERGE_SHA } });
    expect(changed?.summary).toContain(`${service.url}/runs/${run.id}`);
  });
});
