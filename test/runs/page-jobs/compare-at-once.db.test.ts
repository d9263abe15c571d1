import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { WorkerContext } from '../../../src/context.ts';
import type { JobRun } from '../../../src/queue/job.ts';
import { capturePage } from '../../../src/runs/page-jobs/capture-page.ts';
import { comparePage } from '../../../src/runs/page-jobs/compare-page.ts';
import { newTaker } from '../../../src/runs/page-jobs/page-work-store.ts';
import { captureSuite, compareSuite } from '../../../src/runs/page-jobs/work-on-pages.ts';
import type { PageResult } from '../../../src/runs/results/result.ts';
import { startRun } from '../../support/requests.ts';
import { marked, onlyPage, onlyResult, runOn, seeing, worldWithStorage } from '../one-page.ts';

let world: Awaited<ReturnType<typeof worldWithStorage>>;
let page: Awaited<ReturnType<typeof onlyPage>>;

beforeAll(async () => {
  world = await worldWithStorage();
});
beforeEach(async () => {
  page = await onlyPage(world);
  await runOn(world, page, marked([]));
  await world.db.raw('delete from graphile_worker._private_jobs');
});
afterAll(() => world.end());

const dies = async () => Promise.reject(new Error('The thread ended'));
const job = { signal: new AbortController().signal };
const seesChange = (seen: Parameters<typeof seeing>[2] = {}) => seeing(world, marked([20]), seen, true);
const queued = async (): Promise<string[]> =>
  world.db('graphile_worker.jobs').where({ task_identifier: 'compare-suite' }).pluck('key');

let runId = '';
async function capture(ctx: WorkerContext): Promise<PageResult> {
  runId = (await startRun(world.ctx, page.viewer, page.suite, {})).id;
  await capturePage(ctx, { runId, path: '/' }, job);
  return onlyResult(world, page.viewer, runId);
}

async function compare(): Promise<PageResult> {
  await comparePage(world.ctx, { runId, path: '/' });
  return onlyResult(world, page.viewer, runId);
}

it('compares a screenshot where it was captured', async () => {
  expect(await capture(seesChange())).toMatchObject({ status: 'FAIL', cause: 'CHANGE' });
  expect(await queued()).toEqual([]);
});

it('leaves a large one to slots that only compare', async () => {
  expect(await capture(seesChange({ width: 5000, height: 5000 }))).toMatchObject({ status: 'PENDING' });
  expect(await queued()).toEqual([`compare/${page.suite.id}/0`]);
  expect(await compare()).toMatchObject({ status: 'FAIL', cause: 'CHANGE' });
});

it('leaves to them what could not be compared, and does not capture it again', async () => {
  const result = await capture({ ...seesChange(), compareImages: dies });
  expect(result).toMatchObject({ status: 'PENDING', captureEngine: 'test' });
  expect(result.currentFile).not.toBeNull();
  expect(await queued()).toEqual([`compare/${page.suite.id}/0`]);
  expect(await compare()).toMatchObject({ status: 'FAIL', cause: 'CHANGE', currentFile: result.currentFile });
});

it('has them look at what a worker that died has saved', async () => {
  await capture({ ...seesChange(), compareImages: dies });
  await world.db.raw('delete from graphile_worker._private_jobs');
  await capturePage(seesChange(), { runId, path: '/' }, job);
  expect(await queued()).toEqual([`compare/${page.suite.id}/0`]);
});

it('has them look at it when the job of that worker is delivered again', async () => {
  const result = await capture({ ...seesChange(), compareImages: dies });
  await world.db.raw('delete from graphile_worker._private_jobs');
  await world
    .db('page_results')
    .where({ id: result.id })
    .update({ taken_by: newTaker('7') });
  const slotJob: JobRun = {
    ...job,
    id: '7',
    attempt: 2,
    part: async (_of, work) => work(job.signal),
    takePlace: () => null,
    isClosing: () => false,
  };
  await captureSuite(seesChange(), { suiteId: page.suite.id, slot: 0 }, slotJob);
  expect(await queued()).toEqual([`compare/${page.suite.id}/0`]);
  await world.db('page_results').where({ id: result.id }).update({ due_at: null });
  await compareSuite(world.ctx, { suiteId: page.suite.id, slot: 0 }, slotJob);
  expect(await onlyResult(world, page.viewer, runId)).toMatchObject({ status: 'FAIL', cause: 'CHANGE' });
});
