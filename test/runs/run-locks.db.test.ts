import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { lockPromotions } from '../../src/baselines/baseline-store.ts';
import { someoneWaits } from '../support/database.ts';
import { approveRun, promoteThroughApi } from '../support/requests.ts';
import { finishedRun, newSuite, newViewer, screenshot } from '../support/world.ts';
import { worldWithStorage } from './one-page.ts';

/* Two who need the same rows at the same moment: one of them waits, and neither is given up as a deadlock. */

let world: Awaited<ReturnType<typeof worldWithStorage>>;
beforeAll(async () => {
  world = await worldWithStorage();
});
afterAll(async () => world.end());

it('a version is restored while somebody approves in the run that it is from', async () => {
  const viewer = await newViewer(world);
  const suite = await newSuite(world, viewer, ['/', '/a']);
  await world.ctx.storage.put(screenshot(suite, 'a'), Buffer.from('png'));
  await finishedRun(world, viewer, suite, () => 'a');
  const { run, results } = await finishedRun(world, viewer, suite, () => 'b');
  await world.ctx.storage.put(screenshot(suite, 'b'), Buffer.from('png'));
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
