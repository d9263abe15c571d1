import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { installQueue } from '../../src/queue/install-queue.ts';
import { runQueue } from '../../src/queue/run-queue.ts';
import { restartRounds } from '../../src/queue/share-turns.ts';
import { inTransaction } from '../../src/db/in-transaction.ts';
import { userOfJob } from '../../src/queue/enqueue.ts';
import { queueCaptureLater, queueComparison, queueControl } from '../../src/runs/page-jobs/queue-captures.ts';
import { findRun } from '../../src/runs/run-store.ts';
import { clearJobs, jobsIn, log, runBy, until } from '../queue/fixture.ts';
import { createTestDatabase } from '../support/database.ts';
import { startRun } from '../support/requests.ts';
import { newSuite, newViewer, worldOn } from '../support/world.ts';
import type { World } from '../support/world.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let world: World;

beforeAll(async () => {
  database = await createTestDatabase();
  await installQueue(database.url, log);
  world = worldOn(database.db);
});
beforeEach(async () => {
  await clearJobs(database.db);
  await database.db('test_runs').del();
});
afterAll(async () => database.drop());

const pages = (name: string, count: number) => Array.from({ length: count }, (_, index) => `/${name}/${index}`);

/** A run of a new suite with so many pages, whose paths begin with the name. */
async function queueRun(name: string, count: number, viewer?: Awaited<ReturnType<typeof newViewer>>) {
  const owner = viewer ?? (await newViewer(world));
  const suite = await newSuite(world, owner, pages(name, count));
  const run = await startRun(world.ctx, owner, suite, {});
  return { owner, suite, run };
}

async function capturePages(capture: (payload: { runId: string; path: string }) => Promise<void>): Promise<void> {
  const runJob = runBy({ 'capture-page': capture });
  const runner = await runQueue({ databaseUrl: database.url, runJob, log, lanes: ['page'] });
  await until(async () => (await jobsIn(database.db)).every(({ name }) => name !== 'capture-page'));
  await runner.stop();
}

/** The names of the runs, in the order in which one thread captures their pages. `during` is called as each one begins. */
async function captureAll(during: (captured: string[]) => Promise<void> = async () => {}): Promise<string> {
  const captured: string[] = [];
  const capture = async ({ path }: { path: string }) => {
    captured.push(path.split('/')[1] ?? '');
    await during(captured);
  };
  await capturePages(capture);
  return captured.join('');
}

it('the jobs of a run belong to the owner of its suite', async () => {
  const { owner, run } = await queueRun('a', 1);
  await inTransaction(database.db, async (trx) => {
    const queued = await findRun(trx, run.id);
    if (queued === null) throw new Error('The run is gone');
    await queueComparison(trx, queued, '/');
    await queueControl(trx, queued, '/');
    await queueCaptureLater(trx, queued, '/', new Date());
  });
  const jobs = await database.db('graphile_worker._private_jobs').select<{ flags: Record<string, true> }[]>('flags');
  expect(jobs.map(({ flags }) => userOfJob(flags))).toEqual(Array.from({ length: 4 }, () => owner.id));
});

describe('one thread', () => {
  it('captures a single page next, however many pages of others wait, and goes on with those', async () => {
    await queueRun('a', 25);
    const order = await captureAll(async ({ length }) => {
      if (length === 5) await queueRun('b', 1);
    });
    expect(order).toMatch(/^aaaaaa?ba+$/);
    expect(order).toHaveLength(26);
  });

  it('goes round users, and round the suites of each', async () => {
    const { owner } = await queueRun('a', 4);
    await queueRun('b', 4, owner);
    await queueRun('c', 8);
    const order = await captureAll();
    const rounds = order.match(/../g) ?? [];
    expect(rounds.map((round) => round.includes('c'))).toEqual(Array.from({ length: 8 }, () => true));
    expect(order.replaceAll('c', '')).toBe('abababab');
  });

  it('starves nobody for one who comes again and again', async () => {
    await queueRun('a', 12);
    const { owner } = await queueRun('b', 1);
    let again = 8;
    const order = await captureAll(async (captured) => {
      if (captured.at(-1) !== 'b' || again === 0) return;
      again -= 1;
      await queueRun('b', 1, owner);
    });
    expect(order.slice(0, 12).replaceAll('b', '')).toMatch(/^a{5,7}$/);
  });

  it('has four pages of a preview for one of the site, where both are of one suite', async () => {
    const { owner, suite } = await queueRun('a', 20);
    await startRun(world.ctx, owner, suite, { targetBaseUrl: 'http://preview.test' });
    const runs = await database.db('test_runs').select<{ id: string; runType: string }[]>('id', 'run_type');
    const types: string[] = [];
    const capture = async ({ runId }: { runId: string }) => {
      types.push(runs.find(({ id }) => id === runId)?.runType.charAt(0) ?? '');
    };
    await capturePages(capture);
    expect(types.slice(0, 20).join('')).toBe('BBBB'.concat('MBBBB'.repeat(3), 'M').slice(0, 20));
    expect(types.filter((type) => type === 'M')).toHaveLength(20);
  });

  it('starts the rounds again, in the same order, before they come to their end', async () => {
    await queueRun('a', 3);
    await database.db.raw('update graphile_worker._private_jobs set priority = priority + 15000');
    await queueRun('b', 2);
    await inTransaction(database.db, (trx) => restartRounds(trx, 'capture-page'));
    const rounds = (await jobsIn(database.db)).map(({ priority }) => priority);
    expect(rounds.toSorted((one, other) => one - other)).toEqual([1, 1, 2, 2, 3]);
    expect(await captureAll()).toMatch(/^(ab|ba){2}a$/);
  });
});
