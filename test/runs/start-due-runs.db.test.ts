import { afterAll, beforeEach, expect, it } from '@jest/globals';
import { startDueRuns } from '../../src/runs/start-due-runs.ts';
import type { SuiteConfigInput } from '../../src/suites/config/suite-config.ts';
import { createTestDatabase } from '../support/database.ts';
import { updateSuite } from '../support/requests.ts';
import { newSuite, newViewer, worldOn, type OwnSuite, type World } from '../support/world.ts';

let world: World;
let now: Date;
let suite: OwnSuite;
const database = await createTestDatabase();
afterAll(async () => database.drop());
beforeEach(async () => {
  const plain = worldOn(database.db);
  world = { ...plain, ctx: { ...plain.ctx, clock: { now: () => now } } };
  now = new Date('2026-05-05T10:15:00Z');
  await database.db('test_suites').delete();
  suite = await scheduled({ schedule: 'hourly' });
  await startDueRuns(world.ctx);
});

async function scheduled(config: SuiteConfigInput, paths = ['/']): Promise<OwnSuite> {
  const owner = await newViewer(world);
  const made = await newSuite(world, owner, paths);
  await updateSuite(world.ctx, owner, made.id, { config });
  return made;
}

const at = async (time: string) => {
  now = new Date(time);
  await startDueRuns(world.ctx);
};
const runs = async (of = suite) => database.db('test_runs').where({ test_suite_id: of.id }).orderBy('number');
const finish = async () => database.db('test_runs').update({ status: 'COMPLETED' });
const dueAt = async () => (await database.db('run_schedules').where({ test_suite_id: suite.id }).first())?.dueAt;

it('runs a suite at its times, and not before', async () => {
  expect(await dueAt()).toEqual(new Date('2026-05-05T11:00:00Z'));
  await at('2026-05-05T10:59:59Z');
  expect(await runs()).toEqual([]);
  await at('2026-05-05T11:00:00Z');
  expect(await runs()).toMatchObject([{ runType: 'MANUAL', trigger: 'SCHEDULE', startedBy: null, status: 'PENDING' }]);
  await finish();
  await at('2026-05-05T11:30:00Z');
  expect(await runs()).toHaveLength(1);
  await at('2026-05-05T12:00:01Z');
  expect(await runs()).toHaveLength(2);
});

it('runs once for many times that were missed', async () => {
  await at('2026-05-09T17:40:00Z');
  await at('2026-05-09T17:41:00Z');
  expect(await runs()).toHaveLength(1);
  expect(await dueAt()).toEqual(new Date('2026-05-09T18:00:00Z'));
});

it('runs once over all hosts', async () => {
  now = new Date('2026-05-05T11:00:00Z');
  await Promise.all([1, 2, 3, 4].map(() => startDueRuns(world.ctx)));
  expect(await runs()).toHaveLength(1);
});

it('waits for its next time while a run of the site is in progress, or nothing is tracked', async () => {
  const empty = await scheduled({ schedule: 'hourly' }, []);
  await at('2026-05-05T11:00:00Z');
  await at('2026-05-05T12:00:00Z');
  expect(await runs()).toHaveLength(1);
  expect(await runs(empty)).toEqual([]);
  await finish();
  await at('2026-05-05T12:30:00Z');
  expect(await runs()).toHaveLength(1);
  await at('2026-05-05T13:00:00Z');
  expect(await runs()).toHaveLength(2);
});

it('waits for its next time while the rules leave out every page', async () => {
  const rules = [{ paths: ['**'], skip: true }];
  const config = { schedule: 'hourly', rules };
  await updateSuite(world.ctx, suite.viewer, suite.id, { config });
  await at('2026-05-05T11:00:00Z');
  expect([await runs(), await dueAt()]).toEqual([[], new Date('2026-05-05T12:00:00Z')]);
  expect(await database.db('events').where({ suite_id: suite.id, kind: 'schedule.missed' })).toMatchObject([
    { details: { reason: 'no_tracked_pages' } },
  ]);
});

it('goes by the schedule as it is now, and by none while it is inactive', async () => {
  const change = async (config: SuiteConfigInput) => updateSuite(world.ctx, suite.viewer, suite.id, { config });
  await change({ schedule: 'daily' });
  await at('2026-05-05T11:00:00Z');
  expect([await runs(), await dueAt()]).toEqual([[], new Date('2026-05-06T00:00:00Z')]);
  await database.db('test_suites').where({ id: suite.id }).update({ is_active: false });
  await at('2026-05-07T11:00:00Z');
  await database.db('test_suites').where({ id: suite.id }).update({ is_active: true });
  await at('2026-05-07T11:01:00Z');
  expect([await runs(), await dueAt()]).toEqual([[], new Date('2026-05-08T00:00:00Z')]);
  await change({ schedule: null });
  await at('2026-05-09T11:00:00Z');
  expect([await runs(), await database.db('run_schedules')]).toEqual([[], []]);
});
