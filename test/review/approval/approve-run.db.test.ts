import { afterAll, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { readCurrentVersions } from '../../../src/baselines/version-store.ts';
import { createTestDatabase } from '../../support/database.ts';
import {
  approveRun,
  cancelRun,
  listBaselines,
  listVersions,
  promoteThroughApi,
  readPageHistory,
  readRun,
  startRun,
} from '../../support/requests.ts';
import { finishedRun, newSuite, newViewer, screenshot, worldOn, type OwnSuite } from '../../support/world.ts';

const database = await createTestDatabase();
const world = worldOn(database.db);
afterAll(() => database.drop());

const PREVIEW = { targetBaseUrl: 'http://preview.test' };

async function seeded(paths: string[]): Promise<{ viewer: Viewer; suite: OwnSuite }> {
  const viewer = await newViewer(world);
  const suite = await newSuite(world, viewer, paths);
  await finishedRun(world, viewer, suite, () => 'a');
  return { viewer, suite };
}

const versionsOf = async (suite: OwnSuite, path?: string) =>
  (await listVersions(world.ctx, suite, { path })).map(({ version, source, approvedBy }) => ({
    version,
    source,
    approver: approvedBy?.id ?? null,
  }));

describe('approving a run', () => {
  it('appends a version for each change of a MANUAL run and opens its gate', async () => {
    const { viewer, suite } = await seeded(['/a', '/b']);
    const { run } = await finishedRun(world, viewer, suite, (path) => (path === '/a' ? 'b' : 'a'));
    expect(run.reviewState).toBe('PENDING');
    expect(await approveRun(world.ctx, viewer, run.id, { note: 'new colors' })).toMatchObject({
      approved: 1,
      appended: 1,
    });
    expect(await world.db('events').where({ run_id: run.id, kind: 'review.approved' })).toMatchObject([
      {
        actorKind: 'person',
        actorId: viewer.id,
        suiteId: suite.id,
        details: { results: 1, versions: 1, settings: false, note: 'new colors' },
      },
    ]);
    const after = await readRun(world.ctx, viewer, run.id, 'suite.read');
    expect(after.run.reviewState).toBe('APPROVED');
    expect(after.results[0]).toMatchObject({ approved: true, approvedById: viewer.id });
    expect(after.results[1]).toMatchObject({ approved: false });
    const [newest, first] = await listVersions(world.ctx, suite, { path: '/a' });
    expect(newest).toMatchObject({
      version: 2,
      source: 'MANUAL',
      diffScore: 2.5,
      note: 'new colors',
      testRunId: run.id,
    });
    expect(newest?.approvedBy?.id).toBe(viewer.id);
    expect(first).toMatchObject({ version: 1, source: 'INITIAL', approvedBy: null, diffScore: null });
    const baselines = await listBaselines(world.ctx, suite);
    expect(baselines.map(({ path, currentVersion, isApproved }) => ({ path, currentVersion, isApproved }))).toEqual([
      { path: '/a', currentVersion: 2, isApproved: true },
      { path: '/b', currentVersion: 1, isApproved: false },
    ]);
  });

  it('changes nothing the second time, nor where nothing is to approve', async () => {
    const { viewer, suite } = await seeded(['/a']);
    const { run } = await finishedRun(world, viewer, suite, () => 'b');
    await approveRun(world.ctx, viewer, run.id, {});
    const before = await readRun(world.ctx, viewer, run.id, 'suite.read');
    expect(await approveRun(world.ctx, viewer, run.id, {})).toMatchObject({ approved: 0, appended: 0 });
    expect(await readRun(world.ctx, viewer, run.id, 'suite.read')).toEqual(before);
    const unchanged = await finishedRun(world, viewer, suite, () => 'b');
    expect(await approveRun(world.ctx, viewer, unchanged.run.id, {})).toMatchObject({ approved: 0, appended: 0 });
    expect(await versionsOf(suite)).toHaveLength(2);
  });

  it('takes the changed and new results of a BRANCH run, which by itself changed no baseline', async () => {
    const { viewer, suite } = await seeded(['/a']);
    await world.db('site_pages').insert({ test_suite_id: suite.id, owner_id: suite.userId, path: '/n', tracked: true });
    const { run, results } = await finishedRun(world, viewer, suite, () => 'b', PREVIEW);
    expect(results.map((result) => result.isNew)).toEqual([false, true]);
    expect(await versionsOf(suite)).toHaveLength(1);
    expect(await approveRun(world.ctx, viewer, run.id, {})).toMatchObject({ approved: 2, appended: 2 });
    expect(await versionsOf(suite, '/n')).toEqual([{ version: 1, source: 'BRANCH', approver: viewer.id }]);
    const [version] = await listVersions(world.ctx, suite, { path: '/n' });
    expect(version?.url).toBe('http://site.test/n');
  });

  it('approves the results that are named, and the gate waits for the rest', async () => {
    const { viewer, suite } = await seeded(['/a', '/b']);
    const { run, results } = await finishedRun(world, viewer, suite, () => 'b');
    const [first] = results;
    expect(await approveRun(world.ctx, viewer, run.id, { resultIds: [first?.id ?? ''] })).toMatchObject({
      approved: 1,
    });
    expect((await readRun(world.ctx, viewer, run.id, 'suite.read')).run.reviewState).toBe('PENDING');
    await approveRun(world.ctx, viewer, run.id, {});
    expect((await readRun(world.ctx, viewer, run.id, 'suite.read')).run.reviewState).toBe('APPROVED');
  });

  it('refuses results of another run, and a run in flight or cancelled', async () => {
    const { viewer, suite } = await seeded(['/a']);
    const other = await finishedRun(world, viewer, suite, () => 'c');
    const { run } = await finishedRun(world, viewer, suite, () => 'b');
    const resultIds = other.results.map((result) => result.id);
    await expect(approveRun(world.ctx, viewer, run.id, { resultIds })).rejects.toMatchObject({ kind: 'invalid' });
    const inFlight = await startRun(world.ctx, viewer, suite, {});
    await expect(approveRun(world.ctx, viewer, inFlight.id, {})).rejects.toMatchObject({ kind: 'conflict' });
    await cancelRun(world.ctx, viewer, inFlight.id);
    await expect(approveRun(world.ctx, viewer, inFlight.id, {})).rejects.toMatchObject({ kind: 'conflict' });
    expect(await versionsOf(suite)).toHaveLength(1);
  });
});

describe('promoting', () => {
  it.each(['RUNNING', 'CANCELLED'] as const)('refuses a result of a run that is %s', async (status) => {
    const { viewer, suite } = await seeded(['/a']);
    const { run, results } = await finishedRun(world, viewer, suite, () => 'b');
    await world.db('test_runs').where({ id: run.id }).update({ status });
    const pageResultId = results[0]?.id;
    await expect(promoteThroughApi(world.ctx, viewer, { pageResultId })).rejects.toMatchObject({ kind: 'conflict' });
    expect(await versionsOf(suite)).toHaveLength(1);
  });

  it('makes one version of a page result, however often it is asked for', async () => {
    const { viewer, suite } = await seeded(['/a']);
    const { results } = await finishedRun(world, viewer, suite, () => 'b');
    const pageResultId = results[0]?.id;
    await Promise.all([1, 2, 3].map(() => promoteThroughApi(world.ctx, viewer, { pageResultId })));
    const baseline = await promoteThroughApi(world.ctx, viewer, { pageResultId });
    expect(baseline).toMatchObject({ currentVersion: 2, isApproved: true, filePath: screenshot(suite, 'b') });
    expect(await versionsOf(suite)).toEqual([
      { version: 2, source: 'API', approver: viewer.id },
      { version: 1, source: 'INITIAL', approver: null },
    ]);
  });

  it('lets a person put their name to a seed', async () => {
    const viewer = await newViewer(world);
    const suite = await newSuite(world, viewer, ['/a']);
    const { results } = await finishedRun(world, viewer, suite, () => 'a');
    await promoteThroughApi(world.ctx, viewer, { pageResultId: results[0]?.id });
    const [version] = await listVersions(world.ctx, suite, {});
    expect(version).toMatchObject({ version: 2, source: 'API', diffScore: 0, note: null });
  });

  it('refuses a result without a screenshot', async () => {
    const { viewer, suite } = await seeded(['/a']);
    const { results } = await finishedRun(world, viewer, suite, () => {
      throw new Error('down');
    });
    const pageResultId = results[0]?.id;
    await expect(promoteThroughApi(world.ctx, viewer, { pageResultId })).rejects.toMatchObject({ kind: 'conflict' });
  });
});

describe("a page's history", () => {
  it('lists versions newest first, each beside the one before it', async () => {
    const { viewer, suite } = await seeded(['/a']);
    const { run } = await finishedRun(world, viewer, suite, () => 'b');
    await approveRun(world.ctx, viewer, run.id, {});
    const current = await readCurrentVersions(world.ctx.db, suite, { path: '/a' });
    expect(current.map(({ viewport, version }) => [viewport, version])).toEqual([['desktop', 2]]);
    const [second, first] = await readPageHistory(world.ctx, suite, { path: '/a' });
    expect(second).toMatchObject({
      version: 2,
      previousFilePath: screenshot(suite, 'a'),
      previousVersionId: first?.id,
    });
    expect(first).toMatchObject({ version: 1, previousFilePath: null, previousVersionId: null });
  });

  it('cannot be rewritten, not even by a statement', async () => {
    const { suite } = await seeded(['/a']);
    const rewrite = world.db('baseline_versions').where({ test_suite_id: suite.id }).update({ file_path: 'other' });
    await expect(rewrite).rejects.toThrow('immutable');
  });
});
