import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { promotePullRequest } from '../../../src/github/webhooks/promote-pull-request.ts';
import { endPullRequestRun } from '../../../src/pull-requests/end-pull-request-run.ts';
import type { PullRequest } from '../../../src/pull-requests/pull-request.ts';
import { describeEffect } from '../../../src/review/approval/describe-decision.ts';
import { halfBlack } from '../../api/fixture.ts';
import { createTestDatabase } from '../../support/database.ts';
import {
  approveRun,
  decide,
  listVersions,
  promoteThroughApi,
  readRun,
  shareSuite,
  updateSuite,
} from '../../support/requests.ts';
import { nock, stubHttp } from '../../support/stub-http.ts';
import { finishedRun, newViewer, screenshot, type OwnSuite, type World } from '../../support/world.ts';
import * as fixture from '../check-world.ts';
import { sha } from '../webhooks/pull-request-payloads.ts';

stubHttp();

const API = 'http://github.test';
const FILE = `/api/v3/repos/acme/site/contents/${encodeURIComponent('.github/pixelgate.yml')}`;

let world: World;
let owner: Viewer;
let suite: OwnSuite;
let pull: PullRequest;
let pulls = 0;

const database = await createTestDatabase();
afterAll(() => database.drop());

beforeEach(async () => {
  fixture.letIn();
  world = fixture.connectedWorld(database.db);
  owner = await newViewer(world);
  suite = await fixture.linkedSuite(world, owner, ['/', '/a']);
  await finishedRun(world, owner, suite, () => 'a');
  pulls += 1;
  pull = await fixture.newPullRequest(world, { number: 8000 + pulls, headSha: sha(`e${pulls}`) });
});
afterEach(async () => {
  await fixture.unlink(world, suite);
  nock.cleanAll();
});

/** Finishes a run of the head with the two named screenshots, compared with the current baselines. */
async function runOf(head: string, screenshots: [string, string]): Promise<string> {
  const runId = await fixture.waitingRun(world, suite, { ...pull, headSha: head });
  await fixture.takeRun(world, runId);
  const baselines = await world.db('baselines').where({ test_suite_id: suite.id }).orderBy('path').select();
  const settlements = screenshots.map((name, index) => {
    const currentFile = screenshot(suite, name);
    const { filePath: baselineFile, currentVersionId: baselineVersionId } = baselines[index];
    const isSame = currentFile === baselineFile;
    const verdict = isSame ? { status: 'PASS' as const, diffScore: 0 } : { status: 'FAIL' as const, diffScore: 2.5 };
    return { ...verdict, currentFile, baselineFile, baselineVersionId, isNew: false };
  });
  await fixture.settleRun(world, owner, runId, settlements);
  return runId;
}

const merge = (mergedAt: Date | null = null) =>
  fixture.changePullRequest(world, { ...pull, state: 'MERGED', mergedAt, mergeCommitSha: sha('feed') });

/** The file at the merge commit, and on the default branch. */
function file(text: string | null): void {
  const content = Buffer.from(text ?? '').toString('base64');
  const answer = nock(API).persist().get(FILE).query(true);
  if (text === null) answer.reply(404, { message: 'Not Found' });
  else answer.reply(200, { type: 'file', encoding: 'base64', size: content.length, content });
}

const promote = () => promotePullRequest(world.ctx, { owner: pull.owner, repo: pull.repo, number: pull.number });

async function versions(path = '/') {
  return (await listVersions(world.ctx, suite, { path })).map((version) => ({
    version: version.version,
    source: version.source,
    approver: version.approvedBy?.id ?? null,
    prNumber: version.prNumber,
  }));
}

const first = { version: 1, source: 'INITIAL', approver: null, prNumber: null };
const merged = () => ({ version: 2, source: 'PR_MERGE', approver: owner.id, prNumber: pull.number });

async function isPromotionQueued(): Promise<boolean> {
  const key = `promote/acme/site/${pull.number}`;
  return (await world.db('graphile_worker.jobs').where({ key }).first('id')) !== null;
}

describe('a merged pull request', () => {
  it('makes what was approved the next version, with the approver, once', async () => {
    file(null);
    const runId = await runOf(pull.headSha, ['b', 'a']);
    await approveRun(world.ctx, owner, runId, {});
    expect(await versions()).toEqual([first]);
    await merge();
    await Promise.all([promote(), promote()]);
    await promote();
    expect(await versions()).toEqual([merged(), first]);
    expect(await versions('/a')).toEqual([first]);
    const [version] = await listVersions(world.ctx, suite, { path: '/' });
    expect(version).toMatchObject({ diffScore: 2.5, testRunId: runId, note: null, url: 'http://site.test/' });
  });

  it('promotes what was approved at the commit captured last, if the deployment of its head was skipped', async () => {
    file(null);
    await approveRun(world.ctx, owner, await runOf(pull.headSha, ['b', 'a']), {});
    const headSha = sha(`f${pulls}`);
    await fixture.changePullRequest(world, { ...pull, headSha });
    const runId = await fixture.waitingRun(world, suite, { ...pull, headSha });
    const end = { status: 'COMPLETED', reason: 'preview_skipped', error: 'The deployment was skipped' } as const;
    expect(await endPullRequestRun(world.db, world.ctx, runId, end)).toBe(true);
    await fixture.changePullRequest(world, { ...pull, headSha, state: 'MERGED', mergeCommitSha: sha('feed') });
    await promote();
    expect(await versions()).toEqual([merged(), first]);
  });

  it('changes nothing before it is merged, nor for what nobody approved', async () => {
    file(null);
    const runId = await runOf(pull.headSha, ['b', 'a']);
    await promote();
    await merge();
    await promote();
    expect(await versions()).toEqual([first]);
    const { run } = await readRun(world.ctx, owner, runId, 'suite.approve');
    expect(describeEffect(run)).toBe('Approved screenshots become baselines immediately.');
    const { message } = await decide(world.ctx, owner, runId, { decision: 'approve' });
    expect(message).toBe('Approved 1 screenshot. It becomes the baseline now: the pull request is merged.');
    expect(await isPromotionQueued()).toBe(true);
    await promote();
    expect(await versions()).toEqual([merged(), first]);
  });

  /** A run with a change, and a reviewer beside the owner. */
  async function changedRun() {
    file(null);
    const reviewer = await newViewer(world);
    await shareSuite(world.ctx, owner, suite, { email: reviewer.email, role: 'REVIEWER' });
    const runId = await runOf(pull.headSha, ['b', 'a']);
    const { results } = await readRun(world.ctx, owner, runId, 'suite.read');
    const resultIds = results.flatMap(({ id, status }) => (status === 'FAIL' ? [id] : []));
    return { reviewer, runId, resultIds };
  }

  it.each(['undo', 'approve'] as const)(
    'makes what was approved a version once the last request for changes to it is withdrawn by: %s',
    async (decision) => {
      const { reviewer, runId, resultIds } = await changedRun();
      await decide(world.ctx, reviewer, runId, { decision: 'request_changes', note: 'Too pale', resultIds });
      await decide(world.ctx, owner, runId, { decision: 'approve', resultIds });
      await merge();
      await promote();
      await world.db.raw('select graphile_worker.remove_job(?)', [`promote/acme/site/${pull.number}`]);
      expect(await versions()).toEqual([first]);
      await decide(world.ctx, reviewer, runId, { decision, resultIds });
      expect(await isPromotionQueued()).toBe(true);
      await promote();
      expect(await versions()).toEqual([merged(), first]);
    },
  );

  it.each(['undo', 'approve'] as const)(
    'makes it no version when something newer than the merge is the baseline by then, on: %s',
    async (decision) => {
      const { reviewer, runId, resultIds } = await changedRun();
      await decide(world.ctx, owner, runId, { decision: 'approve', resultIds });
      await decide(world.ctx, reviewer, runId, { decision: 'request_changes', note: 'Too pale', resultIds });
      await merge(new Date('2026-01-02T00:00:00Z'));
      await promote();
      const later = await finishedRun(world, owner, suite, (path) => (path === '/' ? 'c' : 'a'));
      await approveRun(world.ctx, owner, later.run.id, {});
      await decide(world.ctx, reviewer, runId, { decision, resultIds });
      await promote();
      expect((await versions()).map(({ source }) => source)).toEqual(['MANUAL', 'INITIAL']);
    },
  );

  it('makes it a version when it is approved after the merge in an earlier run that shows the same', async () => {
    file(null);
    const earlier = await runOf(sha('e0ff'), ['b', 'a']);
    await runOf(pull.headSha, ['b', 'a']);
    await merge();
    await approveRun(world.ctx, owner, earlier, {});
    await promote();
    expect(await versions()).toEqual([merged(), first]);
  });

  it('does not replace what another one brought that was merged later and promoted sooner', async () => {
    file(null);
    const early = { runId: await runOf(pull.headSha, ['b', 'a']), pull };
    pull = await fixture.newPullRequest(world, { number: 8700 + pulls, headSha: sha(`f${pulls}`) });
    const late = await runOf(pull.headSha, ['c', 'a']);
    for (const runId of [early.runId, late]) await approveRun(world.ctx, owner, runId, {});
    await merge(new Date('2026-12-02T00:00:01Z'));
    await promote();
    expect(await versions()).toEqual([merged(), first]);
    pull = early.pull;
    await merge(new Date('2026-12-02T00:00:00Z'));
    await promote();
    expect(await versions()).toHaveLength(2);
  });

  it('takes the last run of its last head only', async () => {
    file(null);
    const older = await runOf(sha(`0e${pulls}`), ['b', 'a']);
    await approveRun(world.ctx, owner, older, {});
    await runOf(pull.headSha, ['c', 'a']);
    await merge();
    await promote();
    expect(await versions()).toEqual([first]);
  });

  it('leaves what was promoted through the API as it is', async () => {
    file(null);
    const runId = await runOf(pull.headSha, ['b', 'a']);
    const { results } = await readRun(world.ctx, owner, runId, 'suite.read');
    await promoteThroughApi(world.ctx, owner, { pageResultId: results[0]?.id });
    await merge();
    await promote();
    expect(await versions()).toEqual([{ version: 2, source: 'API', approver: owner.id, prNumber: null }, first]);
  });

  it('notes a version that moved since the run compared, and is scored against that one', async () => {
    file(null);
    const rows = new Map([
      [screenshot(suite, 'b'), 3],
      [screenshot(suite, 'c'), 8],
    ]);
    world.ctx.storage.get = async (name) => halfBlack(rows.get(name) ?? 0);
    const runId = await runOf(pull.headSha, ['b', 'a']);
    await approveRun(world.ctx, owner, runId, {});
    const meanwhile = await finishedRun(world, owner, suite, (path) => (path === '/' ? 'c' : 'a'));
    await approveRun(world.ctx, owner, meanwhile.run.id, {});
    await merge();
    await promote();
    const [version] = await listVersions(world.ctx, suite, { path: '/' });
    expect(version).toMatchObject({ version: 3, source: 'PR_MERGE', diffScore: 50 });
    expect(version?.note).toContain('Version 2 was approved after');
  });

  it('has the suite’s own site run when the repository asks for it, once', async () => {
    file('runAfterMerge: true');
    await merge();
    await Promise.all([promote(), promote()]);
    const runs = await world
      .db('test_runs')
      .where({ test_suite_id: suite.id, run_type: 'MANUAL', git_pr_number: pull.number })
      .select('target_base_url', 'status', 'started_by');
    expect(runs).toEqual([{ targetBaseUrl: 'http://site.test', status: 'PENDING', startedBy: null }]);
  });

  it('has it run with the settings that the merge brings', async () => {
    file('runAfterMerge: true\nthreshold: 0.4\n');
    await merge();
    await promote();
    const started = await world.db('test_runs').where({ trigger: 'MERGE', test_suite_id: suite.id }).select();
    expect(started).toMatchObject([{ config: { threshold: 0.4 } }]);
  });

  it('starts no run of a suite whose rules leave out every page, and keeps none from another suite', async () => {
    const other = await fixture.linkedSuite(world, owner, ['/']);
    const rules = [{ paths: ['**'], skip: true }];
    await updateSuite(world.ctx, owner, suite.id, { config: { rules } });
    file('runAfterMerge: true');
    await merge();
    await promote();
    const started = await world.db('test_runs').where({ trigger: 'MERGE', git_pr_number: pull.number }).select();
    expect(started).toMatchObject([{ testSuiteId: other.id }]);
    await fixture.unlink(world, other);
  });

  it('is promoted although GitHub does not answer', async () => {
    nock(API).get(FILE).query(true).reply(502, { message: 'Bad gateway' });
    const runId = await runOf(pull.headSha, ['b', 'a']);
    await approveRun(world.ctx, owner, runId, {});
    await merge();
    await expect(promote()).rejects.toThrow('Bad gateway');
    expect(await versions()).toEqual([merged(), first]);
  });
});

describe('a merge into a branch that is no base of the suite', () => {
  it.each(['release/4.x', 'feature/below'])('%s changes no baseline, whatever was approved', async (baseBranch) => {
    file('runAfterMerge: true');
    await fixture.tellDefaultBranch(world, 'main');
    pull = await fixture.newPullRequest(world, { number: 8500 + pulls, headSha: sha(`b${pulls}`), baseBranch });
    const runId = await runOf(pull.headSha, ['b', 'a']);
    await approveRun(world.ctx, owner, runId, {});
    await merge();
    await promote();
    await promote();
    expect(await versions()).toEqual([first]);
    expect(await world.db('test_runs').where({ git_pr_number: pull.number, run_type: 'MANUAL' })).toEqual([]);
  });
});

describe('a push after an approval', () => {
  it('carries the approval of the same screenshot over, with its first approver', async () => {
    const before = await runOf(sha(`1e${pulls}`), ['b', 'c']);
    await approveRun(world.ctx, owner, before, {});
    const runId = await runOf(pull.headSha, ['b', 'd']);
    const { run, results } = await readRun(world.ctx, owner, runId, 'suite.read');
    expect(run.reviewState).toBe('PENDING');
    expect(results.map(({ approved, approvedById }) => [approved, approvedById])).toEqual([
      [true, owner.id],
      [false, null],
    ]);
    const rows = await world
      .db('page_results')
      .where({ test_run_id: runId })
      .orderBy('position')
      .select('carried_over');
    expect(rows).toEqual([{ carriedOver: true }, { carriedOver: false }]);
  });

  it('opens the gate when nothing else changed, and is promoted by the merge', async () => {
    file(null);
    const before = await runOf(sha(`2e${pulls}`), ['b', 'a']);
    await approveRun(world.ctx, owner, before, {});
    const runId = await runOf(pull.headSha, ['b', 'a']);
    expect((await readRun(world.ctx, owner, runId, 'suite.read')).run.reviewState).toBe('APPROVED');
    await merge();
    await promote();
    expect(await versions()).toEqual([merged(), first]);
  });

  it('carries nothing over from another pull request', async () => {
    const before = await runOf(sha(`3e${pulls}`), ['b', 'a']);
    await approveRun(world.ctx, owner, before, {});
    pull = await fixture.newPullRequest(world, { number: 9000 + pulls, headSha: pull.headSha });
    const runId = await runOf(pull.headSha, ['b', 'a']);
    expect((await readRun(world.ctx, owner, runId, 'suite.read')).run.reviewState).toBe('PENDING');
  });
});
