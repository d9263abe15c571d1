import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { lockPromotions } from '../../src/baselines/baseline-store.ts';
import { PNG_END } from '../../src/png/codec.ts';
import { END_OF_RUNS } from '../../src/pull-requests/check/run-check.ts';
import { setMerged } from '../../src/pull-requests/pull-request-run-store.ts';
import { cancelInFlight } from '../../src/runs/end-run.ts';
import { lockRun } from '../../src/runs/run-store.ts';
import { linkedSuite, newPullRequest, SHA, waitingRun } from '../github/check-world.ts';
import { someoneWaits } from '../support/database.ts';
import { approveRun, deleteSuite, promoteThroughApi, startRun } from '../support/requests.ts';
import { finishedRun, newSuite, newViewer, screenshot } from '../support/world.ts';
import { worldWithStorage } from './one-page.ts';

/* Two who need the same rows at the same moment: one of them waits, and neither is given up as a deadlock. */

let world: Awaited<ReturnType<typeof worldWithStorage>>;
beforeAll(async () => {
  world = await worldWithStorage();
});
afterAll(async () => world.end());

it('a suite is deleted while one of its runs is being changed', async () => {
  const viewer = await newViewer(world);
  const suite = await newSuite(world, viewer, ['/']);
  const { id } = await startRun(world.ctx, viewer, suite, {});
  const changing = await world.db.transaction();
  await lockRun(changing, id);
  const removing = deleteSuite(world.ctx, viewer, suite.id, END_OF_RUNS);
  await someoneWaits(world.db);
  expect(await cancelInFlight(changing, world.ctx, id, { reason: 'superseded' })).toBe(true);
  await changing.commit();
  await removing;
  expect(await world.db('test_suites').where({ id: suite.id }).select()).toEqual([]);
});

it('a merge marks runs of which somebody has locked some, and locks others', async () => {
  const suite = await linkedSuite(world, await newViewer(world), ['/']);
  const pull = await newPullRequest(world);
  const ids: string[] = [];
  do ids.push(await waitingRun(world, suite, { ...pull, headSha: `${SHA.slice(0, 30)}${1_000_000_000 + ids.length}` }));
  while (ids.toSorted()[0] === ids[0]);
  const undoing = await world.db.transaction();
  const [first = '', ...others] = ids.toSorted();
  await lockRun(undoing, first);
  const merging = setMerged(world.db, pull);
  await someoneWaits(world.db);
  for (const id of others) await lockRun(undoing, id);
  await undoing.commit();
  await merging;
  expect(await world.db('test_runs').whereIn('id', ids).where({ git_merged: false }).select()).toEqual([]);
});

it('a version is restored while somebody approves in the run that it is from', async () => {
  const viewer = await newViewer(world);
  const suite = await newSuite(world, viewer, ['/', '/a']);
  await world.ctx.storage.put(screenshot(suite, 'a'), PNG_END);
  await finishedRun(world, viewer, suite, () => 'a');
  const { run, results } = await finishedRun(world, viewer, suite, () => 'b');
  await world.ctx.storage.put(screenshot(suite, 'b'), PNG_END);
  await approveRun(world.ctx, viewer, run.id, { resultIds: [results[0]?.id ?? ''] });
  const version = await world.db('baseline_versions').where({ test_run_id: run.id }).first('id');
  const promoting = await world.db.transaction();
  await lockPromotions(promoting, suite.id);
  const restoring = promoteThroughApi(world.ctx, viewer, { baselineVersionId: version.id });
  await someoneWaits(world.db);
  const approving = approveRun(world.ctx, viewer, run.id, {});
  await someoneWaits(world.db, 2);
  await promoting.commit();
  const [restored, approved] = await Promise.allSettled([restoring, approving]);
  expect([restored.status, approved.status]).toEqual(['fulfilled', 'fulfilled']);
});
