import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/auth/user.ts';
import { countAsChange } from '../../src/review/approval/decide.ts';
import { writeJudgement } from '../../src/runs/judging/judge-runs.ts';
import { settleResult } from '../../src/runs/page-jobs/compare-page.ts';
import { getRunFor } from '../../src/runs/read-run.ts';
import { tallyRun } from '../../src/web/run-row.ts';
import { createTestDatabase } from '../support/database.ts';
import { approveRun, cancelRun, readRun, rerunAllErrors, startRun, undoApproval } from '../support/requests.ts';
import { finishedRun, newSuite, newViewer, screenshot, worldOn, type OwnSuite } from '../support/world.ts';

const NONE = { changed: 0, new: 0, error: 0, pending: 0, uncounted: 0, passed: 0, cancelled: 0 };

let viewer: Viewer;
let suite: OwnSuite;
const database = await createTestDatabase();
const world = worldOn(database.db);
afterAll(() => database.drop());
beforeEach(async () => {
  viewer = await newViewer(world);
  suite = await newSuite(world, viewer, ['/a', '/b', '/c']);
});

const read = async (id: string) => readRun(world.ctx, viewer, id, 'suite.read');
const tallyOf = async (id: string) => tallyRun((await read(id)).run);

/** A run with a changed page, one that could not be captured, and one that is as it was. */
async function mixedRun(): Promise<string> {
  await finishedRun(world, viewer, suite, () => 'a');
  const { run } = await finishedRun(world, viewer, suite, (path) => {
    if (path === '/b') throw new Error('down');
    return path === '/a' ? 'b' : 'a';
  });
  return run.id;
}

describe('the tally of a run', () => {
  it('follows its results as they settle, and are cancelled', async () => {
    const { id } = await startRun(world.ctx, viewer, suite, {});
    expect(await tallyOf(id)).toEqual({ counts: { ...NONE, pending: 3 }, total: 3, settled: 0, approved: 0 });
    await world.db('test_runs').where({ id }).update({ status: 'RUNNING' });
    const [first] = (await read(id)).results;
    if (first === undefined) throw new Error('The run has no results');
    await settleResult(world.ctx, first, { status: 'PASS', isNew: true, currentFile: screenshot(suite, 'a') });
    expect(await tallyOf(id)).toMatchObject({ counts: { ...NONE, new: 1, pending: 2 }, settled: 1 });
    await cancelRun(world.ctx, viewer, id);
    expect(await tallyOf(id)).toEqual({ counts: { ...NONE, new: 1, cancelled: 2 }, total: 3, settled: 1, approved: 0 });
  });

  it('follows approvals, their undoing, and errors that are captured again', async () => {
    const id = await mixedRun();
    const found = { ...NONE, changed: 1, error: 1, passed: 1 };
    expect(await tallyOf(id)).toEqual({ counts: found, total: 3, settled: 3, approved: 0 });
    await approveRun(world.ctx, viewer, id, {});
    expect(await tallyOf(id)).toEqual({ counts: found, total: 3, settled: 3, approved: 1 });
    await undoApproval(world.ctx, viewer, id, {});
    expect(await tallyOf(id)).toMatchObject({ counts: found, approved: 0 });
    await rerunAllErrors(world.ctx, viewer, id);
    expect(await tallyOf(id)).toMatchObject({ counts: { ...found, error: 0, pending: 1 }, settled: 2 });
  });

  it('follows results that are judged again, and those that are to count', async () => {
    const id = await mixedRun();
    const { run, results } = await read(id);
    const changed = results.find(({ status }) => status === 'FAIL');
    if (changed === undefined) throw new Error('Nothing changed');
    const judged = { status: 'FAIL' as const, cause: 'DRIFT' as const, ignoredChangeId: null, changes: [] };
    expect(await writeJudgement(world.ctx, run, changed, judged)).toBe(true);
    expect((await tallyOf(id)).counts).toEqual({ ...NONE, error: 1, passed: 1, uncounted: 1 });
    await countAsChange(world.ctx, await getRunFor(world.ctx, viewer, id, 'suite.approve'), changed.id);
    expect((await tallyOf(id)).counts).toEqual({ ...NONE, error: 1, passed: 1, changed: 1 });
  });

  it('forgets a result that is deleted', async () => {
    const id = await mixedRun();
    await world.db('page_results').where({ test_run_id: id, status: 'ERROR' }).delete();
    expect(await tallyOf(id)).toMatchObject({ counts: { ...NONE, changed: 1, passed: 1 }, total: 2 });
  });
});
