import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { inTransaction, type Db } from '../../src/db/database.ts';
import { countJobs, countWorkers, countWorkersWanted } from '../../src/queue/count-jobs.ts';
import { enqueue, enqueueAll } from '../../src/queue/enqueue.ts';
import { installQueue } from '../../src/queue/install-queue.ts';
import { countOpenPages } from '../../src/queue/job.ts';
import { giveUpDeadJobs, releaseDeadWorkers, tidyQueues, type DeadJob } from '../../src/queue/maintain-queue.ts';
import { createTestDatabase } from '../support/database.ts';
import { clearJobs, gate, jobsIn, log, pretendDeaths, pretendTaken } from './fixture.ts';

const database = await createTestDatabase();
await installQueue(database.url, log);
beforeEach(async () => clearJobs(database.db));
afterAll(async () => database.drop());

async function exhaust(db: Db): Promise<void> {
  await db.raw(`update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'out of memory'`);
}

async function countQueues(db: Knex): Promise<number> {
  const { rows } = await db.raw<{ rows: { n: number }[] }>(
    'select count(*)::integer as n from graphile_worker._private_job_queues',
  );
  return rows[0]?.n ?? 0;
}

describe('releaseDeadWorkers', () => {
  it('frees the job and the queue of a worker that is gone, at no cost to the job', async () => {
    await enqueue(database.db, 'try-page', { trialId: '/' }, { queue: 'capture/s1/0' });
    await pretendTaken(database.db, 'pool-gone', 1);
    await releaseDeadWorkers(database.db, log);
    const error = 'The worker died while it ran this job';
    expect(await jobsIn(database.db)).toEqual([expect.objectContaining({ lockedBy: null, attempts: 0, error })]);
    const { rows } = await database.db.raw<{ rows: { free: boolean }[] }>(
      'select is_available as free from graphile_worker._private_job_queues',
    );
    expect(rows).toEqual([{ free: true }]);
  });

  it('leaves a job its attempts over twenty deaths, and then counts', async () => {
    await enqueue(database.db, 'try-page', { trialId: '/' });
    const attempts: number[] = [];
    for (let death = 1; death <= 23; death += 1) {
      await pretendTaken(database.db, 'pool-gone', (attempts.at(-1) ?? 0) + 1);
      await releaseDeadWorkers(database.db, log);
      attempts.push(...(await jobsIn(database.db)).map((job) => job.attempts));
    }
    expect(attempts).toEqual([...Array.from({ length: 20 }, () => 0), 1, 2, 3]);
  });
});

describe('giveUpDeadJobs', () => {
  it('hands over a job whose last worker died, once over all hosts', async () => {
    await enqueueAll(
      database.db,
      'try-page',
      ['/1', '/2', '/3'].map((path) => ({ payload: { trialId: path } })),
    );
    await pretendTaken(database.db, 'pool-gone', 5);
    await pretendDeaths(database.db, 20);
    await releaseDeadWorkers(database.db, log);
    const dead: DeadJob[] = [];
    const giveUp = async (_db: Db, job: DeadJob) => void dead.push(job);
    await Promise.all([1, 2, 3].map(async () => giveUpDeadJobs(database.db, giveUp, log)));
    const error = 'The worker died while it ran this job';
    expect(dead).toHaveLength(3);
    expect(dead).toEqual(
      expect.arrayContaining(
        ['/1', '/2', '/3'].map((path) => ({ name: 'try-page', payload: { trialId: path }, error })),
      ),
    );
    expect(await jobsIn(database.db)).toEqual([]);
  });

  it('writes through the transaction that removes the job', async () => {
    await enqueue(database.db, 'try-page', { trialId: '/' });
    await exhaust(database.db);
    await giveUpDeadJobs(database.db, async (db) => enqueue(db, 'finish-run', { runId: 'r1' }), log);
    expect(await jobsIn(database.db)).toEqual([expect.objectContaining({ name: 'finish-run' })]);
  });

  it('keeps a job that could not be handed over, with nothing written, and goes on to the next', async () => {
    await enqueue(database.db, 'try-page', { trialId: '/bad' });
    await enqueue(database.db, 'try-page', { trialId: '/good' });
    await exhaust(database.db);
    const dead: DeadJob[] = [];
    const giveUp = async (db: Db, job: DeadJob) => {
      await enqueue(db, 'finish-run', { runId: 'r1' }, { key: 'finish' });
      if ('trialId' in job.payload && job.payload.trialId === '/bad') throw new Error('not now');
      dead.push(job);
    };
    await giveUpDeadJobs(database.db, giveUp, log);
    expect(dead).toEqual([{ name: 'try-page', payload: { trialId: '/good' }, error: 'out of memory' }]);
    const names = (await jobsIn(database.db)).map((job) => [job.name, job.payload]);
    expect(names).toEqual([
      ['try-page', { trialId: '/bad' }],
      ['finish-run', { runId: 'r1' }],
    ]);
  });

  it('leaves jobs alone that have attempts left or run at this moment', async () => {
    await enqueue(database.db, 'finish-run', { runId: 'r1' });
    await pretendTaken(database.db, 'pool-x', 10);
    await enqueue(database.db, 'finish-run', { runId: 'r2' });
    await giveUpDeadJobs(database.db, async () => Promise.reject(new Error('not dead')), log);
    expect(await jobsIn(database.db)).toHaveLength(2);
  });

  it('drops without a word a job that a newer one replaced while it ran', async () => {
    await enqueue(database.db, 'finish-run', { runId: 'r1' }, { key: 'finish' });
    await pretendTaken(database.db, 'pool-gone', 1);
    await enqueue(database.db, 'finish-run', { runId: 'r1' }, { key: 'finish' });
    await releaseDeadWorkers(database.db, log);
    const dead: DeadJob[] = [];
    await giveUpDeadJobs(database.db, async (_db, job) => void dead.push(job), log);
    expect(dead).toEqual([]);
    expect(await jobsIn(database.db)).toEqual([expect.objectContaining({ key: 'finish', attempts: 0 })]);
  });

  it('drops a job of a form that nobody knows', async () => {
    await database.db.raw(`select 1 from graphile_worker.add_job('of-yesterday', '{}')`);
    await exhaust(database.db);
    await giveUpDeadJobs(database.db, async () => Promise.reject(new Error('unknown')), log);
    expect(await jobsIn(database.db)).toEqual([]);
  });
});

describe('tidyQueues', () => {
  const queueOf = (index: number) => ({
    payload: { trialId: `/${index}` },
    options: { queue: `capture/s${index}/0` },
  });

  it('forgets queues with nothing in them and keeps those that have a job', async () => {
    const jobs = Array.from({ length: 60 }, (_, index) => queueOf(index));
    await enqueueAll(database.db, 'try-page', jobs);
    await database.db.raw(`delete from graphile_worker._private_jobs where payload->>'trialId' <> '/7'`);
    await tidyQueues(database.db);
    expect(await countQueues(database.db)).toBe(1);
    expect(await jobsIn(database.db)).toEqual([expect.objectContaining({ queue: 'capture/s7/0' })]);
  });

  it('leaves every queue while a job is being added', async () => {
    await enqueueAll(
      database.db,
      'try-page',
      Array.from({ length: 60 }, (_, index) => queueOf(index)),
    );
    await database.db.raw('delete from graphile_worker._private_jobs');
    const added = gate();
    const proceed = gate();
    const adding = inTransaction(database.db, async (trx) => {
      await enqueueAll(trx, 'try-page', [queueOf(7)]);
      added.open();
      await proceed.opened;
    });
    await added.opened;
    await tidyQueues(database.db);
    proceed.open();
    await adding;
    expect(await countQueues(database.db)).toBe(60);
    expect(await jobsIn(database.db)).toEqual([expect.objectContaining({ queue: 'capture/s7/0' })]);
  });
});

describe('countJobs', () => {
  it('counts jobs by what they wait for', async () => {
    await enqueue(database.db, 'try-page', { trialId: '/1' });
    await exhaust(database.db);
    await enqueue(database.db, 'try-page', { trialId: '/2' });
    await enqueue(database.db, 'finish-run', { runId: 'r1' });
    await enqueue(database.db, 'try-page', { trialId: '/3' }, { runAt: new Date(Date.now() + 60_000) });
    const { states, age } = await countJobs(database.db);
    expect(states).toEqual({ ready: 2, delayed: 1, running: 0, failed: 1 });
    expect(age).toBeGreaterThan(0);
  });

  it('tells how long the oldest one has waited that could run', async () => {
    expect((await countJobs(database.db)).age).toBe(0);
    await enqueue(database.db, 'finish-run', { runId: 'r1' }, { runAt: new Date(Date.now() - 3_600_000) });
    await enqueue(database.db, 'finish-run', { runId: 'r2' });
    const { age } = await countJobs(database.db);
    expect(Math.floor(age / 3600)).toBe(1);
  });
});

describe('countWorkersWanted', () => {
  it('is 0 where nothing could run, and counts what is ready', async () => {
    expect(await countWorkersWanted(database.db, 1)).toBe(0);
    await enqueue(database.db, 'finish-run', { runId: 'r1' }, { runAt: new Date(Date.now() + 60_000) });
    expect(await countWorkersWanted(database.db, 1)).toBe(0);
    await enqueue(database.db, 'finish-run', { runId: 'r2' });
    expect(await countWorkersWanted(database.db, 1)).toBe(1);
  });

  it('grows with the work of the lane that has most of it, and falls with the threads of a process', () => {
    const slots = 6 * countOpenPages(1);
    const jobs = new Map([
      ['capture-suite', slots],
      ['finish-run', 1],
    ]);
    expect(countWorkers(jobs, 1)).toBe(12);
    expect(countWorkers(new Map([['crawl-suite', 13]]), 1)).toBe(3);
    expect(countWorkers(new Map([['crawl-suite', 13]]), 4)).toBe(1);
    expect(countWorkers(new Map([['an unknown kind', 100]]), 1)).toBe(0);
  });
});
