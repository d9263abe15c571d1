import { afterAll, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { listRuns, readStartPage } from '../../../src/runs/list/list-runs.ts';
import { getSuiteFor } from '../../../src/suites/read-suite.ts';
import { followSuite } from '../../../src/suites/suite-life.ts';
import type { SuiteForViewer } from '../../../src/suites/suite.ts';
import { createTestDatabase } from '../../support/database.ts';
import { approveRun, cancelRun, readRun, rerunAllErrors, shareSuite, startRun } from '../../support/requests.ts';
import { finishedRun, newSuite, newViewer, worldOn } from '../../support/world.ts';

const database = await createTestDatabase();
const world = worldOn(database.db);
afterAll(() => database.drop());

const down = () => {
  throw new Error('down');
};

async function seeded(): Promise<{ viewer: Viewer; suite: SuiteForViewer }> {
  const viewer = await newViewer(world);
  const suite = await newSuite(world, viewer, ['/a', '/b', '/c']);
  await finishedRun(world, viewer, suite, () => 'a');
  return { viewer, suite };
}

const changedRun = async ({ viewer, suite }: { viewer: Viewer; suite: SuiteForViewer }, screenshot = 'b') =>
  (await finishedRun(world, viewer, suite, () => screenshot)).run.id;

describe('the start page', () => {
  it('puts what waits for a review first', async () => {
    const own = await seeded();
    const [first, second, third] = [await changedRun(own), await changedRun(own, 'c'), await changedRun(own, 'd')];
    await approveRun(world.ctx, own.viewer, second, {});
    const page = await readStartPage(world.ctx, own.viewer);
    await world
      .db('test_suites')
      .where({ id: (await newSuite(world, own.viewer, [])).id })
      .update({ kind: 'MANUAL' });
    expect(page).toMatchObject({ totalTestSuites: 1, totalSinglePages: 0, runningTests: 0, awaitingTotal: 2 });
    const both = await readStartPage(world.ctx, own.viewer);
    expect(both).toMatchObject({ totalTestSuites: 1, totalSinglePages: 1 });
    expect(page.awaiting.map(({ id, testSuite }) => [id, testSuite.id])).toEqual([
      [third, own.suite.id],
      [first, own.suite.id],
    ]);
    expect(page.followed.map((run) => run.id)).toEqual([third]);
  });

  it('leaves out what is in flight or cancelled, and what others own', async () => {
    const own = await seeded();
    const runId = await changedRun(own);
    const { id } = await startRun(world.ctx, own.viewer, own.suite, {});
    await world.db('test_runs').where({ id }).update({ review_state: 'PENDING' });
    expect(await readStartPage(world.ctx, own.viewer)).toMatchObject({ runningTests: 1, awaitingTotal: 1 });
    await cancelRun(world.ctx, own.viewer, id);
    const page = await readStartPage(world.ctx, own.viewer);
    expect(page.awaiting.map((run) => run.id)).toEqual([runId]);
    const nothing = {
      totalTestSuites: 0,
      totalSinglePages: 0,
      runningTests: 0,
      awaiting: [],
      awaitingTotal: 0,
      followed: [],
      failed: [],
      failedCrawls: [],
      assigned: [],
    };
    expect(await readStartPage(world.ctx, await newViewer(world))).toEqual(nothing);
  });
});

describe('the other lists of the start page', () => {
  it('are the newest run of each suite that the viewer follows and may read', async () => {
    const own = await seeded();
    const quiet = await newSuite(world, own.viewer, ['/']);
    const guest = await newViewer(world);
    await shareSuite(world.ctx, own.viewer, own.suite, { userId: guest.id, role: 'VIEWER' });
    const newest = await changedRun(own);
    const followed = async (viewer: Viewer) => (await readStartPage(world.ctx, viewer)).followed.map(({ id }) => id);
    expect([await followed(own.viewer), await followed(guest)]).toEqual([[newest], [newest]]);
    const { id } = await startRun(world.ctx, own.viewer, quiet, {});
    expect(await followed(own.viewer)).toEqual([id, newest]);

    const asGuest = await getSuiteFor(world.ctx, guest, own.suite.id, 'suite.read');
    expect(asGuest.isFollowed).toBe(true);
    await followSuite(world.ctx, asGuest, false);
    expect(await followed(guest)).toEqual([]);
    await followSuite(world.ctx, asGuest, true);
    await followSuite(world.ctx, asGuest, true);
    expect(await followed(guest)).toEqual([newest]);
    await world.db('test_suite_grants').where({ principal_id: guest.id }).delete();
    expect(await followed(guest)).toEqual([]);
  });

  it('are failed runs until one of the site, or of the same branch, completes', async () => {
    const own = await seeded();
    const failed = async () => (await readStartPage(world.ctx, own.viewer)).failed.map(({ id }) => id);
    const preview = { targetBaseUrl: 'http://preview.test', branch: 'menu' };
    const fail = async (input: object) => (await finishedRun(world, own.viewer, own.suite, down, input)).run.id;
    const [site, branch] = [await fail({}), await fail(preview)];
    await world.db('test_runs').whereIn('id', [site, branch]).update({ status: 'FAILED' });
    expect(await failed()).toEqual([branch, site]);
    await finishedRun(world, own.viewer, own.suite, () => 'a', { ...preview, branch: 'other' });
    expect(await failed()).toEqual([branch, site]);
    await finishedRun(world, own.viewer, own.suite, () => 'a', preview);
    expect(await failed()).toEqual([site]);
    await world.db('test_runs').where({ id: site }).update({ created_at: '2026-01-01' });
    expect(await failed()).toEqual([]);
  });

  it('count as awaiting only what the viewer may approve', async () => {
    const own = await seeded();
    const [reader, reviewer] = [await newViewer(world), await newViewer(world)];
    await shareSuite(world.ctx, own.viewer, own.suite, { userId: reader.id, role: 'VIEWER' });
    await shareSuite(world.ctx, own.viewer, own.suite, { userId: reviewer.id, role: 'REVIEWER' });
    const waiting = await changedRun(own);
    const awaiting = async (viewer: Viewer) => {
      const page = await readStartPage(world.ctx, viewer);
      return [page.awaitingTotal, ...page.awaiting.map(({ id }) => id)];
    };
    expect(await awaiting(reader)).toEqual([0]);
    expect(await awaiting(reviewer)).toEqual([1, waiting]);
    const part = { limit: 10, offset: 0 };
    expect((await listRuns(world.ctx, { reviewableBy: reader }, {}, part)).total).toBe(0);
    expect((await listRuns(world.ctx, { reviewableBy: reviewer }, {}, part)).total).toBe(2);
  });
});

describe('the runs of a filter', () => {
  it('are those of the gate and the type that it names', async () => {
    const own = await seeded();
    const manual = await changedRun(own);
    const input = { targetBaseUrl: 'http://preview.test' };
    const branch = (await finishedRun(world, own.viewer, own.suite, () => 'b', input)).run.id;
    const part = { limit: 10, offset: 0 };
    const found = async (filter: Parameters<typeof listRuns>[2]) =>
      (await listRuns(world.ctx, { readableBy: own.viewer }, filter, part)).runs.map((run) => run.id);
    expect(await found({ reviewState: 'PENDING' })).toEqual([branch, manual]);
    expect(await found({ reviewState: 'PENDING', runType: 'BRANCH' })).toEqual([branch]);
    expect(await found({ runType: 'PR' })).toEqual([]);
  });
});

describe('rerunning all errors of a run', () => {
  it('takes every one again, whatever its page', async () => {
    const { viewer, suite } = await seeded();
    const chooseScreenshot = (path: string) => (path === '/a' ? 'a' : down());
    const { run } = await finishedRun(world, viewer, suite, chooseScreenshot);
    expect(await rerunAllErrors(world.ctx, viewer, run.id)).toBe(2);
    const after = await readRun(world.ctx, viewer, run.id, 'suite.read');
    expect(after.run.status).toBe('RUNNING');
    expect(after.results.map((result) => result.status)).toEqual(['PASS', 'PENDING', 'PENDING']);
  });

  it('is refused where there are none, after a cancel, and to a stranger', async () => {
    const { viewer, suite } = await seeded();
    const { run } = await finishedRun(world, viewer, suite, () => 'a');
    await expect(rerunAllErrors(world.ctx, viewer, run.id)).rejects.toMatchObject({
      kind: 'conflict',
      details: { code: 'nothing_to_rerun' },
    });
    const { id } = await startRun(world.ctx, viewer, suite, {});
    await cancelRun(world.ctx, viewer, id);
    await expect(rerunAllErrors(world.ctx, viewer, id)).rejects.toMatchObject({ details: { code: 'run_cancelled' } });
    const stranger = await newViewer(world);
    await expect(rerunAllErrors(world.ctx, stranger, run.id)).rejects.toMatchObject({ kind: 'not_found' });
  });
});
