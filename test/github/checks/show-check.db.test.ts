import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { showCheck, sweepChecks } from '../../../src/github/checks/show-check.ts';
import { decideVerdict } from '../../../src/pull-requests/check/check-verdict.ts';
import type { RunCheck } from '../../../src/pull-requests/check/check.ts';
import { readRunCheck } from '../../../src/pull-requests/check/run-check.ts';
import type { PullRequest } from '../../../src/pull-requests/pull-request.ts';
import { startPullRequestRun } from '../../../src/pull-requests/start-pull-request-run.ts';
import { carryOverApprovals } from '../../../src/review/approval/carry-over.ts';
import { finishRun } from '../../../src/runs/end-run.ts';
import { settleResult } from '../../../src/runs/page-jobs/compare-page.ts';
import { rerunEveryError } from '../../../src/runs/rerun-errors.ts';
import { replaceChanges } from '../../../src/runs/results/change-store.ts';
import { linkedSuites } from '../../../src/suites/linked-suites.ts';
import type { SuiteForViewer } from '../../../src/suites/suite.ts';
import { changeOf } from '../../support/changes.ts';
import { createTestDatabase, someoneWaits } from '../../support/database.ts';
import { approveRun, readRun } from '../../support/requests.ts';
import { nock, stubHttp } from '../../support/stub-http.ts';
import { newViewer, worldOn, type World } from '../../support/world.ts';
import * as fixture from '../check-world.ts';

stubHttp();

let world: World;
let viewer: Viewer;
let suite: SuiteForViewer;
let pull: PullRequest;
let runId: string;

const database = await createTestDatabase();
afterAll(() => database.drop());

beforeEach(async () => {
  world = fixture.connectedWorld(database.db);
  viewer = await newViewer(world);
  suite = await fixture.linkedSuite(world, viewer, ['/a', '/b']);
  pull = await fixture.newPullRequest(world);
  runId = await fixture.waitingRun(world, suite, pull);
  fixture.letIn();
});
afterEach(async () => {
  fixture.leaveNothing();
  await fixture.unlink(world, suite);
  await world.db('github_pauses').delete();
});

const row = () =>
  world
    .db('test_runs')
    .where({ id: runId })
    .first('git_check_run_id', 'check_shown', 'check_shown_at', 'check_name', 'updated_at');
const jobs = () =>
  world
    .db('graphile_worker.jobs')
    .where({ key: `check/${runId}` })
    .select('run_at', 'queue_name', 'attempts');
const noJobs = () => world.db.raw('select graphile_worker.remove_job(?)', [`check/${runId}`]);
const show = () => showCheck(world.ctx, { runId }, async () => true);

describe('showing a check', () => {
  it('creates it once, and follows the run from waiting to success', async () => {
    const created = fixture.expectCreated(501);
    await show();
    expect(created).toEqual([
      expect.objectContaining({
        name: (await row()).checkName,
        head_sha: fixture.SHA,
        external_id: runId,
        status: 'queued',
        details_url: `https://gate.example.com/runs/${runId}`,
        actions: [],
      }),
    ]);
    expect(await row()).toMatchObject({ gitCheckRunId: 501, checkShown: { state: 'shown', status: 'queued' } });

    await fixture.takeRun(world, runId);
    const progress = fixture.expectUpdated(501);
    await show();
    expect(progress).toMatchObject([{ status: 'in_progress', output: { title: 'Capturing: 0 of 2 screenshots' } }]);
    expect(progress[0]).not.toHaveProperty('conclusion');

    await fixture.settleRun(world, viewer, runId, [fixture.changedScreenshot(suite), fixture.sameScreenshot(suite)]);
    const blocked = fixture.expectUpdated(501);
    await show();
    expect(blocked).toMatchObject([
      {
        status: 'completed',
        conclusion: 'action_required',
        completed_at: expect.any(String),
        actions: [{ identifier: expect.stringMatching(/^approve:/) }],
        output: { title: '1 changed, 0 new, 1 unchanged: review required' },
      },
    ]);

    await approveRun(world.ctx, viewer, runId, {});
    const passed = fixture.expectUpdated(501);
    await show();
    expect(passed).toMatchObject([
      { conclusion: 'success', actions: [], output: { title: `1 change approved by ${viewer.name}` } },
    ]);
  });

  it('has the checks of other pull requests with this head follow', async () => {
    const other = await fixture.waitingRun(world, suite, await fixture.newPullRequest(world));
    await world.db.raw('select graphile_worker.remove_job(?)', [`check/${other}`]);
    fixture.expectCreated(502);
    await show();
    const key = `check/${other}`;
    expect(await world.db('graphile_worker.jobs').where({ key }).pluck('key')).toEqual([key]);
  });

  it('remembers which variants of a change it shows', async () => {
    await fixture.takeRun(world, runId);
    await fixture.settleRun(world, viewer, runId, [fixture.changedScreenshot(suite), fixture.changedScreenshot(suite)]);
    const { results } = await readRun(world.ctx, viewer, runId, 'suite.read');
    for (const [at, result] of results.entries()) {
      await replaceChanges(world.db, result, [changeOf('d', { picture: `${at}`.repeat(32) })]);
    }
    const created = fixture.expectCreated(503);
    await show();
    expect(created).toMatchObject([{ output: { summary: expect.stringContaining('in 2 variants') } }]);
    const variants = (await readRunCheck(world.db, runId))?.changes.groups[0]?.variants.map(({ id }) => id);
    expect(variants).toHaveLength(2);
    expect((await row()).checkShown).toMatchObject({ state: 'shown', variants });
  });

  it('asks GitHub nothing when the check is shown already', async () => {
    fixture.expectCreated(502);
    await show();
    const before = await row();
    await show();
    const after = await row();
    expect(after.checkShown).toEqual(before.checkShown);
    expect(after.checkShownAt.getTime()).toBeGreaterThan(before.checkShownAt.getTime());
  });

  it('goes back in progress while errors are taken again', async () => {
    await fixture.takeRun(world, runId);
    await fixture.settleRun(world, viewer, runId, [null, fixture.sameScreenshot(suite)]);
    const failed = fixture.expectCreated(503);
    await show();
    expect(failed).toMatchObject([{ conclusion: 'failure', actions: [{ identifier: 'rerun_errors' }] }]);
    await world.db.transaction((trx) => rerunEveryError(trx, runId));
    const again = fixture.expectUpdated(503);
    await show();
    expect(again).toMatchObject([{ status: 'in_progress', output: { title: 'Capturing: 1 of 2 screenshots' } }]);
  });

  it('never passes because they are about to be taken again', async () => {
    await fixture.takeRun(world, runId);
    await fixture.settleRun(world, viewer, runId, [null, fixture.sameScreenshot(suite)]);
    let reading = Promise.resolve<RunCheck | null>(null);
    await world.db.transaction(async (trx) => {
      await trx.raw('lock table page_results in access exclusive mode');
      reading = readRunCheck(world.db, runId);
      await someoneWaits(world.db);
      await rerunEveryError(trx, runId);
    });
    const check = await reading;
    expect(check && decideVerdict(check)).toMatchObject({ conclusion: 'failure' });
  });

  it.each([
    ['a dropped connection', { error: 'socket hang up' }, 'socket hang up'],
    ['a 502', { status: 502, body: { message: 'Bad Gateway' } }, 'Bad Gateway'],
  ])('finds the check again whose creation ended in %s', async (_, reply, message) => {
    fixture.expectCreated(504, reply);
    await expect(show()).rejects.toThrow(message);
    expect(await row()).toMatchObject({ gitCheckRunId: null, checkShown: { state: 'creating' } });
    fixture.expectListed((await row()).checkName, [
      { id: 77, external_id: 'another' },
      { id: 504, external_id: runId },
    ]);
    fixture.expectUpdated(504);
    await show();
    expect(await row()).toMatchObject({ gitCheckRunId: 504, checkShown: { state: 'shown' } });
  });

  it('creates the check after all when the first request never arrived', async () => {
    fixture.expectCreated(505, { error: 'connect ECONNREFUSED' });
    await expect(show()).rejects.toThrow('ECONNREFUSED');
    fixture.expectListed((await row()).checkName, []);
    fixture.expectCreated(505);
    await show();
    expect(await row()).toMatchObject({ gitCheckRunId: 505 });
  });

  it.each([
    [404, 'Not Found'],
    [403, 'Repository was archived so is read-only.'],
    [422, `No commit found for SHA: ${fixture.SHA}`],
  ])('ends quietly on %i, and tries again only when the run is over', async (status, message) => {
    fixture.expectCreated(0, { status, body: { message } });
    await show();
    expect(await row()).toMatchObject({ gitCheckRunId: null, checkShown: { state: 'gone' } });
    await fixture.takeRun(world, runId);
    await show();
    await fixture.settleRun(world, viewer, runId, [fixture.sameScreenshot(suite), fixture.sameScreenshot(suite)]);
    fixture.expectCreated(506);
    await show();
    expect(await row()).toMatchObject({ gitCheckRunId: 506, checkShown: { conclusion: 'success' } });
  });

  it('is not created after that of a later attempt, because GitHub goes by the newest', async () => {
    const same = [fixture.sameScreenshot(suite), fixture.sameScreenshot(suite)];
    fixture.expectCreated(0, { status: 403, body: { message: 'This installation has been suspended' } });
    await fixture.takeRun(world, runId);
    await fixture.settleRun(world, viewer, runId, same);
    await show();
    const [linked] = await linkedSuites(world.ctx, pull);
    if (linked === undefined) throw new Error('There is no suite');
    await world.db.transaction((trx) => startPullRequestRun(trx, world.ctx, linked, pull, 'any end'));
    await show();
    expect(await row()).toMatchObject({ gitCheckRunId: null, checkShown: { state: 'gone' } });
  });

  it('comes back when GitHub says, and asks nothing before', async () => {
    const start = Date.now();
    fixture.expectCreated(0, {
      status: 429,
      body: { message: 'You have exceeded a secondary rate limit' },
      headers: { 'retry-after': '120' },
    });
    await show();
    const [job] = await jobs();
    expect(job.runAt.getTime()).toBeGreaterThanOrEqual(start + 119_000);
    await show();
    expect(await jobs()).toHaveLength(1);
  });

  it('asks nothing where GitHub is not connected, and of a run that is gone', async () => {
    await showCheck(worldOn(database.db).ctx, { runId }, async () => true);
    expect(await row()).toMatchObject({ checkShown: null });
    await world.db('test_runs').where({ id: runId }).delete();
    await expect(show()).resolves.toBeUndefined();
  });

  it('speaks for the installation that the suite is linked by now', async () => {
    await world.db('test_suites').where({ id: suite.id }).update({ codehost_installation_id: 99 });
    nock.cleanAll();
    nock('http://github.test')
      .post('/api/v3/app/installations/99/access_tokens')
      .reply(201, { token: 't', expires_at: '2999-01-01T00:00:00Z', permissions: {}, repository_selection: 'all' });
    fixture.expectCreated(507);
    await show();
    expect(await row()).toMatchObject({ gitCheckRunId: 507 });
  });
});

describe('what a run tells its check', () => {
  it('is one job at a time, that waits some seconds for progress only', async () => {
    await noJobs();
    await fixture.takeRun(world, runId);
    await noJobs();
    const before = Date.now();
    const { results } = await readRun(world.ctx, viewer, runId, 'suite.read');
    for (const result of results) await settleResult(world.ctx, result, fixture.sameScreenshot(suite));
    const [soon, ...more] = await jobs();
    expect(more).toEqual([]);
    expect(soon.queueName).toBe(`check/${runId}`);
    expect(soon.runAt.getTime()).toBeGreaterThan(before + 4_000);
    await finishRun(world.ctx, { runId }, carryOverApprovals);
    const [now] = await jobs();
    expect(now.runAt.getTime()).toBeLessThanOrEqual(world.ctx.clock.now().getTime());
  });
});

describe('the sweeper', () => {
  const age = (seconds: number) =>
    world
      .db('test_runs')
      .where({ id: runId })
      .update({ updated_at: world.db.raw('now() - make_interval(secs => ?)', [seconds]) });
  const sweep = async () => {
    await noJobs();
    await sweepChecks(world.ctx);
    return (await jobs()).length;
  };

  it('takes a check that was never made', async () => {
    expect(await sweep()).toBe(0);
    await age(61);
    expect(await sweep()).toBe(1);
  });

  it('takes an open check of a run that is over, and leaves one that says so', async () => {
    fixture.expectCreated(508);
    await show();
    await world.db('test_runs').where({ id: runId }).update({ status: 'CANCELLED', check_shown_at: world.db.fn.now() });
    await age(61);
    expect(await sweep()).toBe(1);
    fixture.expectUpdated(508);
    await show();
    expect(await sweep()).toBe(0);
  });

  it('takes a check that is older than its run', async () => {
    fixture.expectCreated(509);
    await show();
    await age(61);
    expect(await sweep()).toBe(0);
    await world
      .db('test_runs')
      .where({ id: runId })
      .update({ check_shown_at: world.db.raw("now() - interval '1 hour'") });
    expect(await sweep()).toBe(1);
  });

  it('tries what GitHub did not take again in an hour, not before, nor for a run that nobody waits for', async () => {
    fixture.expectCreated(0, { status: 404, body: { message: 'Not Found' } });
    await show();
    await age(61);
    expect(await sweep()).toBe(0);
    await world
      .db('test_runs')
      .where({ id: runId })
      .update({ check_shown_at: world.db.raw("now() - interval '61 minutes'") });
    expect(await sweep()).toBe(1);
    await world.db('test_runs').where({ id: runId }).update({ status: 'CANCELLED' });
    expect(await sweep()).toBe(0);
  });

  it('leaves a job alone that waits for its next attempt, and all where GitHub is not connected', async () => {
    await age(61);
    expect(await sweep()).toBe(1);
    const later = "update graphile_worker._private_jobs set run_at = now() + interval '1 hour' where key = ?";
    await world.db.raw(later, [`check/${runId}`]);
    const [before] = await jobs();
    await sweepChecks(world.ctx);
    expect(await jobs()).toEqual([before]);
    await noJobs();
    await sweepChecks(worldOn(database.db).ctx);
    expect(await jobs()).toEqual([]);
  });
});
