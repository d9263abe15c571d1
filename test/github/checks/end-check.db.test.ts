import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { endCheck } from '../../../src/github/checks/put-check-run.ts';
import { showCheck } from '../../../src/github/checks/show-check.ts';
import { END_OF_RUNS } from '../../../src/pull-requests/check/run-check.ts';
import { endUnlinkedRuns } from '../../../src/pull-requests/end-pull-request-run.ts';
import { gatePullRequests } from '../../../src/pull-requests/gate-pull-requests.ts';
import type { PullRequest } from '../../../src/pull-requests/pull-request.ts';
import type { JobPayloads } from '../../../src/queue/job-kinds.ts';
import type { SuiteForViewer } from '../../../src/suites/suite.ts';
import { createTestDatabase } from '../../support/database.ts';
import { deleteSuite, updateSuite } from '../../support/requests.ts';
import { stubHttp } from '../../support/stub-http.ts';
import { newViewer, type World } from '../../support/world.ts';
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
  suite = await fixture.linkedSuite(world, viewer, ['/a']);
  pull = await fixture.newPullRequest(world);
  runId = await fixture.waitingRun(world, suite, pull);
  fixture.letIn();
});
afterEach(async () => {
  fixture.leaveNothing();
  await fixture.unlink(world, suite);
  await world.db('github_pauses').delete();
});

type Waiting = { payload: JobPayloads['end-check']; queueName: string };

/** The payload of the queued job that ends the run's check. */
async function waiting(): Promise<Waiting | undefined> {
  const { rows } = await world.db.raw<{ rows: Waiting[] }>(
    `select jobs.payload, queues.queue_name
     from graphile_worker._private_jobs as jobs join graphile_worker._private_job_queues as queues on queues.id = jobs.job_queue_id
     where jobs.key = ?`,
    [`end-check/${runId}`],
  );
  return rows[0];
}

async function payloadOf(): Promise<JobPayloads['end-check']> {
  const job = await waiting();
  if (job === undefined) throw new Error('Nothing ends the check');
  expect(job.queueName).toBe(`check/${runId}`);
  return job.payload;
}

const remove = () => deleteSuite(world.ctx, viewer, suite.id, END_OF_RUNS);

const ENDED = {
  status: 'completed',
  conclusion: 'cancelled',
  output: expect.objectContaining({ title: 'The suite was deleted' }),
  actions: [],
};

describe('the check of a suite that is deleted', () => {
  it('is ended by its number', async () => {
    fixture.expectCreated(601);
    await showCheck(world.ctx, { runId }, async () => true);
    await remove();
    const told = fixture.expectUpdated(601);
    await endCheck(world.ctx, await payloadOf());
    expect(told).toEqual([expect.objectContaining(ENDED)]);
  });

  it('is looked for when it was being made, and left where there is none', async () => {
    await remove();
    const payload = await payloadOf();
    expect(payload.checkRunId).toBeNull();
    fixture.expectListed('Pixelgate', [{ id: 602, external_id: runId }]);
    const told = fixture.expectUpdated(602);
    await endCheck(world.ctx, payload);
    expect(told).toEqual([expect.objectContaining(ENDED)]);
    fixture.expectListed('Pixelgate', [{ id: 603, external_id: 'of another' }]);
    await endCheck(world.ctx, payload);
  });

  it('is tried again after a fault, and given up where GitHub does not take it', async () => {
    fixture.expectCreated(604);
    await showCheck(world.ctx, { runId }, async () => true);
    await remove();
    const payload = await payloadOf();
    fixture.expectUpdated(604, { status: 502 });
    await expect(endCheck(world.ctx, payload)).rejects.toMatchObject({ status: 502 });
    for (const status of [403, 404, 422]) {
      fixture.expectUpdated(604, { status, body: { message: 'No' } });
      await endCheck(world.ctx, payload);
    }
  });

  it('waits as long as GitHub asks', async () => {
    fixture.expectCreated(605);
    await showCheck(world.ctx, { runId }, async () => true);
    await remove();
    const payload = await payloadOf();
    fixture.expectUpdated(605, { status: 429, body: { message: 'Slow' }, headers: { 'retry-after': '60' } });
    await endCheck(world.ctx, payload);
    expect(await payloadOf()).toEqual(payload);
  });

  it('is left alone when it is over', async () => {
    await fixture.takeRun(world, runId);
    await fixture.settleRun(world, viewer, runId, [fixture.sameScreenshot(suite)]);
    const created = fixture.expectCreated(606);
    await showCheck(world.ctx, { runId }, async () => true);
    expect(created).toMatchObject([{ conclusion: 'success' }]);
    await remove();
    expect(await waiting()).toBeUndefined();
  });

  it('is ended when it waits for a review that nobody can give any more', async () => {
    await fixture.takeRun(world, runId);
    await fixture.settleRun(world, viewer, runId, [fixture.changedScreenshot(suite)]);
    fixture.expectCreated(607);
    await showCheck(world.ctx, { runId }, async () => true);
    await remove();
    expect(await payloadOf()).toMatchObject({ checkRunId: 607, owner: 'acme', repo: 'site' });
  });
});

describe('the run of a suite that has no part in the repository any more', () => {
  const end = async () => {
    await endUnlinkedRuns(world.ctx, { suiteId: suite.id });
    return world.db('test_runs').where({ id: runId }).first('status', world.db.raw("metadata ->> 'reason' as reason"));
  };

  it.each([
    ['unlinked', { codehost: null }, 'suite_unlinked'],
    ['switched off', { isActive: false }, 'suite_inactive'],
  ])('is cancelled when it is %s, and starts again when it is back', async (_, change, reason) => {
    await updateSuite(world.ctx, viewer, suite.id, change);
    expect(await world.db('graphile_worker.jobs').where({ task_identifier: 'end-unlinked-runs' })).not.toHaveLength(0);
    expect(await end()).toEqual({ status: 'CANCELLED', reason });
    const attempts = () =>
      world.db('test_runs').where({ test_suite_id: suite.id }).orderBy('git_attempt').pluck('status');
    await gatePullRequests(world.ctx, fixture.REPOSITORY);
    expect(await attempts()).toEqual(['CANCELLED']);
    const link = { codehost_owner: 'acme', codehost_repo: 'site', codehost_installation_id: 1 };
    await world
      .db('test_suites')
      .where({ id: suite.id })
      .update({ ...link, is_active: true });
    await gatePullRequests(world.ctx, fixture.REPOSITORY);
    expect(await attempts()).toEqual(['CANCELLED', 'PENDING']);
  });

  it('starts at the head that was pushed meanwhile', async () => {
    await world.db('test_suites').where({ id: suite.id }).update({ is_active: false });
    const pushed = { ...pull, headSha: 'd'.repeat(40) };
    await fixture.changePullRequest(world, pushed);
    await gatePullRequests(world.ctx, fixture.REPOSITORY);
    await world.db('test_suites').where({ id: suite.id }).update({ is_active: true });
    await gatePullRequests(world.ctx, fixture.REPOSITORY);
    const heads = () =>
      world.db('test_runs').where({ test_suite_id: suite.id }).orderBy('number').pluck('git_head_sha');
    expect(await heads()).toEqual([pull.headSha, pushed.headSha]);
  });

  it('goes on when it is linked as before', async () => {
    expect(await end()).toEqual({ status: 'PENDING', reason: null });
  });
});
