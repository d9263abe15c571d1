import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { findPreview } from '../../../src/github/previews/find-preview.ts';
import { followBaseSettings } from '../../../src/github/previews/pull-request-config.ts';
import { syncConfigFile } from '../../../src/github/previews/read-config-file.ts';
import { createNetwork } from '../../../src/net/create-network.ts';
import type { Network } from '../../../src/net/network.ts';
import { decideVerdict } from '../../../src/pull-requests/check/check-verdict.ts';
import { formatSummary } from '../../../src/pull-requests/check/desired-check.ts';
import { readRunCheck } from '../../../src/pull-requests/check/run-check.ts';
import { compareSettingsAgain, followSettings } from '../../../src/pull-requests/follow-settings.ts';
import { gatePullRequests } from '../../../src/pull-requests/gate-pull-requests.ts';
import { changePullRequest } from '../../../src/pull-requests/pull-request-store.ts';
import type { PullRequest } from '../../../src/pull-requests/pull-request.ts';
import { configOfPullRequest } from '../../../src/suites/config-file/pull-request-config.ts';
import { DEFAULT_CONFIG } from '../../../src/suites/config/suite-config.ts';
import { getSuiteFor } from '../../../src/suites/read-suite.ts';
import type { SuiteForViewer } from '../../../src/suites/suite.ts';
import { addIgnoreRule, updateSuite } from '../../../src/suites/update-suite.ts';
import { links } from '../../pull-requests/check/check-situation.js';
import { createTestDatabase } from '../../support/database.ts';
import { html, startSmallSite } from '../../support/small-site.ts';
import { nock, stubHttp } from '../../support/stub-http.ts';
import { newViewer, type World } from '../../support/world.ts';
import * as fixture from '../check-world.ts';
import { sha } from '../webhooks/pull-request-payloads.ts';

stubHttp();

const API = 'http://github.test';
const REPO = '/api/v3/repos/acme/site';
const FILE = `${REPO}/contents/${encodeURIComponent('.github/pixelgate.yml')}`;
const BASE = sha('ba5e');
const [STRICT, LOOSE] = ['failureThreshold: 0\n', 'failureThreshold: 5\n'] as const;

let network: Network;
let world: World;
let owner: Viewer;
let suite: SuiteForViewer;
let pulls = 0;

const database = await createTestDatabase();
const site = await startSmallSite(new Map([['/', html('Home', 'Welcome')]]));
afterAll(async () => {
  await site.stop();
  await database.drop();
});

beforeEach(async () => {
  nock.disableNetConnect();
  nock.enableNetConnect('127.0.0.1');
  fixture.letIn();
  const connected = fixture.connectedWorld(database.db);
  network = createNetwork({ allowPrivateTargets: true, log: connected.ctx.log });
  world = { ...connected, ctx: { ...connected.ctx, network } };
  owner = await newViewer(world);
  suite = await fixture.linkedSuite(world, owner, ['/', '/a']);
});
afterEach(async () => {
  await Promise.all([fixture.unlink(world, suite), network.close()]);
  nock.cleanAll();
});

/** The file at a commit or branch; without one, on the default branch. Null: there is none. */
function file(text: string | null, ref?: string): void {
  const content = Buffer.from(text ?? '').toString('base64');
  const answer = nock(API)
    .get(FILE)
    .query(ref === undefined ? {} : { ref });
  if (text === null) answer.reply(404, { message: 'Not Found' });
  else answer.reply(200, { type: 'file', encoding: 'base64', size: content.length, content });
}

async function sync(text: string | null): Promise<void> {
  file(text);
  await syncConfigFile(world.ctx, { owner: 'acme', repo: 'site' });
}

const edited = async () => getSuiteFor(world.ctx, owner, suite.id, 'suite.edit');

it('sets the suite as the default branch says, locks that, and lets it go with its value', async () => {
  await fixture.tellDefaultBranch(world, 'main');
  await sync('threshold: 0.2\ncrawlOptions:\n  timeout: 5000\nrules: []\n');
  const locked = await edited();
  expect(locked.config).toMatchObject({ threshold: 0.2, crawlOptions: { timeout: 5000, followSitemap: true } });
  expect(locked.configFile).toMatchObject({
    lines: { threshold: 1, 'crawlOptions.timeout': 3, rules: 4 },
    url: 'http://github.test/acme/site/blob/main/.github/pixelgate.yml',
    problem: null,
  });
  await expect(updateSuite(world.ctx, locked, { config: { threshold: 0.5 } })).rejects.toMatchObject({
    kind: 'conflict',
    message: 'threshold (line 1) is set by .github/pixelgate.yml on main. Change it there.',
    details: { code: 'set_by_config_file' },
  });
  await expect(addIgnoreRule(world.ctx, locked, { paths: ['/'], ignore: ['.ad'] })).rejects.toMatchObject({
    kind: 'conflict',
  });
  // The same value, and what the file does not set.
  const both = { threshold: 0.2, crawlOptions: { followSitemap: false } };
  await updateSuite(world.ctx, locked, { config: both });

  await sync('threshold: nope\n');
  const kept = await edited();
  expect(kept.config).toMatchObject({ threshold: 0.2, crawlOptions: { timeout: 5000, followSitemap: false } });
  expect(kept.configFile?.problem).toContain('line 1, column 12: threshold must be a number from 0 to 1');
  expect(kept.configFile?.lines).toHaveProperty('threshold');

  await sync(null);
  const free = await edited();
  expect(free.configFile).toBeNull();
  expect(free.config.threshold).toBe(0.2);
  const changed = await updateSuite(world.ctx, free, { config: { threshold: 0.5 } });
  expect(changed.config.threshold).toBe(0.5);
});

it('ends the locks when the suite is unlinked, and reads the file when its name changes', async () => {
  await sync(`suites:\n  ${suite.name}:\n    threshold: 0.3\n  Other:\n    threshold: 0.9\n`);
  const locked = await edited();
  expect(locked.config.threshold).toBe(0.3);
  await updateSuite(world.ctx, locked, { name: 'Another name' });
  const jobs = await world.db('graphile_worker.jobs').where({ key: 'config-file/acme/site' });
  expect(jobs).toHaveLength(1);
  const unlinked = await updateSuite(world.ctx, locked, { codehost: null });
  expect(unlinked.configFile).toBeNull();
});

async function pullRequest(said: Partial<PullRequest> = {}): Promise<{ pull: PullRequest; runId: string }> {
  pulls += 1;
  const pull = await fixture.newPullRequest(world, { number: 9000 + pulls, headSha: sha(`c${pulls}`), ...said });
  const runId = await fixture.waitingRun(world, suite, pull);
  await world.db('builds').insert({
    test_suite_id: suite.id,
    status: 'READY',
    digest: 'd',
    files: 1,
    bytes: 1,
    head_sha: pull.headSha,
  });
  return { pull, runId };
}

function branchedFrom({ headSha, baseBranch }: PullRequest, text: string | null): void {
  const commit = { committer: { date: '2026-01-01T00:00:00Z' } };
  nock(API)
    .get(`${REPO}/compare/${baseBranch}...${headSha}`)
    .query(true)
    .reply(200, { merge_base_commit: { sha: BASE, commit } });
  file(text, BASE);
}

async function look(runId: string) {
  await findPreview(world.ctx, { runId });
  const run = await world.db('test_runs').where({ id: runId }).first();
  const check = await readRunCheck(world.db, runId);
  if (check === null) throw new Error('The run has no check');
  const ended = { ...check, run: { ...check.run, status: 'COMPLETED' as const } };
  return { run, summary: formatSummary(check, null, links).summary, title: decideVerdict(ended).title };
}

it('judges a pull request by its own version, says so, and lets it decide over its own screenshots only', async () => {
  await sync('threshold: 0.2\nmaxPages: 50\n');
  const { pull, runId } = await pullRequest();
  const own = 'threshold: 0.9\nmaxPages: 1\nviewports: [{ name: tiny, width: 320, height: 480 }]\n';
  file(own, pull.headSha);
  branchedFrom(pull, 'threshold: 0.2\n');
  const { run, summary, title } = await look(runId);
  expect(run.config).toMatchObject({ threshold: 0.9, maxPages: 50, control: false, viewports: [{ name: 'tiny' }] });
  // Those at the viewports that it drops are captured as well, with the settings of the base.
  expect(run.totalResults).toBe(4);
  expect(run.gitConfigChange).toEqual({ used: ['viewports', 'threshold'], later: ['maxPages'], fromFork: false });
  expect(summary).toContain('changes the configuration in `.github/pixelgate.yml`: `viewports` and `threshold`');
  expect(title).toContain('; configuration changed');
  expect(run.settingsHash).not.toBeNull();
  expect((await edited()).config.threshold).toBe(0.2);
});

it.each([true, null])(
  'uses nothing of a fork (%s), neither configuration nor previews, and says so',
  async (fromFork) => {
    await sync('threshold: 0.2\n');
    const { pull, runId } = await pullRequest({ fromFork });
    file('threshold: 1\npaths: [nowhere/**]\n', pull.headSha);
    file('threshold: 0.2\n', 'main');
    branchedFrom(pull, 'threshold: 0.2\n');
    const { run, summary, title } = await look(runId);
    expect(run).toMatchObject({ gitEnqueued: true, status: 'PENDING', config: { threshold: 0.2 } });
    expect(run.gitConfigChange).toEqual({ used: [], later: ['threshold'], fromFork: true });
    expect(run.settingsHash).toBeNull();
    expect(summary).toContain('- threshold `0.2` → `1` on 2 pages at desktop, after the merge');
    expect(summary).toContain('It is from a fork, so this run uses the configuration of `main`.');
    expect(title).not.toContain('configuration');
  },
);

it('runs nothing unreviewed at the suite’s own address with its secrets', () => {
  const own = { threshold: 0.9, customCss: 'a {}' };
  const from = { fromFork: false, ownSite: true };
  expect(configOfPullRequest(DEFAULT_CONFIG, own, from)).toMatchObject({
    config: { threshold: 0.9, customCss: '', control: true },
    change: { used: ['threshold'], later: ['customCss'] },
  });
});

it('takes a branch that is only behind for no change', async () => {
  await sync('threshold: 0.2\n');
  const { pull, runId } = await pullRequest();
  file('threshold: 0.9\n', pull.headSha);
  branchedFrom(pull, 'threshold: 0.9\n');
  const { run } = await look(runId);
  expect(run).toMatchObject({ gitConfigChange: null, config: { threshold: 0.2 } });
});

it('goes by the settings that the suite has when the preview is found, not when the wait for it began', async () => {
  await sync('failureThreshold: 5\n');
  const [same, own] = [await pullRequest(), await pullRequest()];
  const tightened = 'failureThreshold: 0\n';
  await sync(tightened);
  file(tightened, same.pull.headSha);
  expect((await look(same.runId)).run).toMatchObject({ gitConfigChange: null, config: { failureThreshold: 0 } });
  file(`${tightened}maxPages: 1\n`, own.pull.headSha);
  branchedFrom(own.pull, tightened);
  const { run } = await look(own.runId);
  expect(run).toMatchObject({ gitConfigChange: { used: [], later: ['maxPages'] }, config: { failureThreshold: 0 } });
});

it('reads again what a pull request changes when it gets another base', async () => {
  await sync('failureThreshold: 0\n');
  await updateSuite(world.ctx, await edited(), { config: { baseBranches: ['main', 'release'] } });
  const { pull, runId } = await pullRequest({ baseBranch: 'release' });
  const loose = 'failureThreshold: 5\n';
  file(loose, pull.headSha);
  branchedFrom(pull, loose);
  expect((await look(runId)).run).toMatchObject({ gitGated: true, settingsHash: null });

  const goesInto = async (baseBranch: string, began: string) => {
    await changePullRequest(world.db, { ...pull, baseBranch });
    await gatePullRequests(world.ctx, fixture.REPOSITORY);
    expect(await world.db('graphile_worker.jobs').where({ key: `base-settings/${runId}` })).toHaveLength(1);
    file(loose, pull.headSha);
    branchedFrom({ ...pull, baseBranch }, began);
    await followBaseSettings(world.ctx, { runId });
    return look(runId);
  };
  const { run, summary } = await goesInto('main', 'failureThreshold: 0\n');
  expect(summary).toContain('failureThreshold `0` → `5`');
  expect(run.settingsHash).not.toBeNull();
  expect((await goesInto('release', loose)).run.settingsHash).toBeNull();
});

it('holds a file that says what the suite says anyway, once the suite says something stricter', async () => {
  await sync(null);
  await updateSuite(world.ctx, await edited(), { config: { failureThreshold: 5 } });
  const { pull, runId } = await pullRequest();
  file('failureThreshold: 5\n', pull.headSha);
  branchedFrom(pull, null);
  const { run, summary } = await look(runId);
  expect(run.settingsHash).toBeNull();
  expect(summary).not.toContain('### Settings');
  await updateSuite(world.ctx, await edited(), { config: { failureThreshold: 0 } });
  await followSettings(world.ctx, { suiteId: suite.id });
  const held = await look(runId);
  expect(held.run.settingsHash).not.toBeNull();
  expect(held.summary).toContain('failureThreshold `0` → `5`');
});

it('holds a file that is as on the default branch, once that one is reverted', async () => {
  const [strict, loose] = ['failureThreshold: 0\n', 'failureThreshold: 5\n'];
  await sync(strict);
  const { pull, runId } = await pullRequest();
  await sync(loose);
  file(loose, pull.headSha);
  expect((await look(runId)).run.settingsHash).toBeNull();
  await sync(strict);
  expect(await world.db('graphile_worker.jobs').where({ key: `base-settings/${runId}` })).toHaveLength(1);
  file(loose, pull.headSha);
  branchedFrom(pull, strict);
  await followBaseSettings(world.ctx, { runId });
  const { run, summary } = await look(runId);
  expect(run.settingsHash).not.toBeNull();
  expect(summary).toContain('failureThreshold `0` → `5`');
});

it.each([
  ['the default branch is reverted', 'main', async () => sync(STRICT)],
  [
    'the pull request gets another base',
    'release',
    async (pull: PullRequest) => {
      await changePullRequest(world.db, { ...pull, baseBranch: 'main' });
      await gatePullRequests(world.ctx, fixture.REPOSITORY);
    },
  ],
])(
  'holds a file that is no change of the pull request until %s while its preview is found',
  async (_, base, change) => {
    await updateSuite(world.ctx, await edited(), { config: { baseBranches: ['main', 'release'] } });
    await sync(base === 'main' ? LOOSE : STRICT);
    const { pull, runId } = await pullRequest({ baseBranch: base });
    nock(API)
      .get(FILE)
      .query({ ref: pull.headSha })
      .reply(200, async () => {
        await change(pull);
        await followBaseSettings(world.ctx, { runId });
        return { type: 'file', encoding: 'base64', size: LOOSE.length, content: Buffer.from(LOOSE).toString('base64') };
      });
    if (base !== 'main') branchedFrom(pull, LOOSE);
    expect((await look(runId)).run).toMatchObject({ status: 'PENDING', gitEnqueued: false });
    expect(await world.db('graphile_worker.jobs').where({ key: `preview/${runId}` })).toHaveLength(1);
    file(LOOSE, pull.headSha);
    branchedFrom({ ...pull, baseBranch: 'main' }, STRICT);
    const { run, summary } = await look(runId);
    expect(run.settingsHash).not.toBeNull();
    expect(summary).toContain('failureThreshold `0` → `5`');
  },
);

const changedFiles = ({ number }: { number: number }) => nock(API).get(`${REPO}/pulls/${number}/files`).query(true);

it('looks again at what it left out, once it names more files', async () => {
  const few = 'paths: web/**\n';
  await sync(few);
  const { pull, runId } = await pullRequest();
  changedFiles(pull).reply(200, [{ filename: 'docs/a.md' }]);
  file(few, pull.headSha);
  expect((await look(runId)).run).toMatchObject({ status: 'COMPLETED', metadata: { reason: 'paths_unchanged' } });
  await world.db.raw('select graphile_worker.remove_job(?)', ['gate/acme/site']);
  await sync('maxPages: 50\n');
  expect(await world.db('graphile_worker.jobs').where({ key: 'gate/acme/site' })).toHaveLength(1);
  await gatePullRequests(world.ctx, fixture.REPOSITORY);
  const again = await world.db('test_runs').where({ git_pr_number: pull.number, git_attempt: 2 }).first();
  expect(again).toMatchObject({ status: 'PENDING' });
});

it('looks again at what is left out while the file is being changed', async () => {
  const few = 'paths: web/**\n';
  await sync(few);
  const { pull, runId } = await pullRequest();
  changedFiles(pull).reply(200, async () => {
    await sync('maxPages: 50\n');
    await gatePullRequests(world.ctx, fixture.REPOSITORY);
    return [{ filename: 'docs/a.md' }];
  });
  file(few, pull.headSha);
  expect((await look(runId)).run).toMatchObject({ status: 'PENDING', metadata: null });
  expect(await world.db('graphile_worker.jobs').where({ key: `preview/${runId}` })).toHaveLength(1);
});

it('is compared again when the suite changes while it is compared', async () => {
  await sync(null);
  const loose = await updateSuite(world.ctx, await edited(), { config: { failureThreshold: 5 } });
  const { pull, runId } = await pullRequest();
  const queued = async () => {
    const of = { key: `follow-settings/${suite.id}` };
    const jobs = await world.db('graphile_worker.jobs').where(of);
    await world.db.raw('select graphile_worker.remove_job(?)', [of.key]);
    return jobs.length;
  };
  await queued();
  file('failureThreshold: 5\n', pull.headSha);
  branchedFrom(pull, null);
  await look(runId);
  expect(await queued()).toBe(1);
  await updateSuite(world.ctx, await edited(), { config: { failureThreshold: 0 } });
  await queued();
  const own = { config: { failureThreshold: 5 }, file: [] };
  await compareSettingsAgain(world.ctx, { suite: loose, paths: ['/', '/a'] }, runId, own);
  expect(await queued()).toBe(1);
  await followSettings(world.ctx, { suiteId: suite.id });
  expect((await look(runId)).run.settingsHash).not.toBeNull();
  expect(await queued()).toBe(0);
});

it('is compared again when an area of the suite is ignored, or no longer', async () => {
  const of = { key: `follow-settings/${suite.id}` };
  for (const undo of [false, true]) {
    await addIgnoreRule(world.ctx, await edited(), { paths: ['/'], ignore: ['.ad'] }, { undo });
    expect(await world.db('graphile_worker.jobs').where(of)).toHaveLength(1);
    await world.db.raw('select graphile_worker.remove_job(?)', [of.key]);
  }
});

it('fails the check of a pull request with every line that is wrong', async () => {
  const { pull, runId } = await pullRequest();
  file('# ours\ntreshold: 0.1\nmaxPages: many\n', pull.headSha);
  const { run } = await look(runId);
  expect(run).toMatchObject({ status: 'FAILED', metadata: { reason: 'config_file' } });
  expect(run.metadata.error).toContain('line 2, column 1: treshold is not a known setting. Did you mean threshold?');
  expect(run.metadata.error).toContain('line 3, column 11: maxPages must be a whole number from 1 to 10,000');
});
