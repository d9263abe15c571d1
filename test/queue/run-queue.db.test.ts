import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { enqueue } from '../../src/queue/enqueue.ts';
import { installQueue } from '../../src/queue/install-queue.ts';
import type { JobMetric } from '../../src/queue/job-runner.ts';
import { LANE_PLACES, type JobRun } from '../../src/queue/job.ts';
import { releaseDeadWorkers } from '../../src/queue/maintain-queue.ts';
import { runQueue } from '../../src/queue/run-queue.ts';
import { createTestDatabase } from '../support/database.ts';
import { clearJobs, gate, jobsIn, log, runBy, until, type OwnHandlers } from './fixture.ts';

const database = await createTestDatabase();
await installQueue(database.url, log);
beforeEach(async () => clearJobs(database.db));
afterAll(async () => database.drop());

function start(own: OwnHandlers, more: { drainMs?: number; onMetric?: (metric: JobMetric) => void } = {}) {
  return runQueue({ databaseUrl: database.url, runJob: runBy(own), log, ...more });
}

/** Runs until its signal is aborted, as a well-behaved job does. */
function untilAborted({ signal }: JobRun): Promise<void> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')));
  });
}

async function breakLock(): Promise<void> {
  await database.db.raw(
    `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'pixelgate worker lock'`,
  );
}

describe('runQueue', () => {
  it('runs a job with its payload and attempt, and removes it', async () => {
    const ran = gate();
    const metrics: JobMetric[] = [];
    let seen: unknown = null;
    const onMetric = (metric: JobMetric) => void metrics.push(metric);
    const sendLink = async (payload: unknown, { attempt }: JobRun) => {
      seen = { payload, attempt };
      ran.open();
    };
    const runner = await start({ 'send-reset-link': sendLink }, { onMetric });
    await enqueue(database.db, 'send-reset-link', { email: 'a@b.co' });
    await ran.opened;
    await runner.stop();
    expect(seen).toEqual({ payload: { email: 'a@b.co' }, attempt: 1 });
    expect(await jobsIn(database.db)).toEqual([]);
    expect(metrics).toEqual([{ job: 'send-reset-link', outcome: 'done', seconds: expect.any(Number) }]);
    await expect(runner.ended).resolves.toBe('stopped');
  });

  it('keeps places for others, however many jobs of one user wait, and then runs all', async () => {
    const end = gate();
    const begun: string[] = [];
    const crawl = async ({ suiteId }: { suiteId: string }) => {
      begun.push(suiteId);
      if (suiteId === 'a') await end.opened;
    };
    const enqueueFor = async (userId: string) => enqueue(database.db, 'crawl-suite', { suiteId: userId }, { userId });
    for (let nth = 0; nth < 8; nth += 1) await enqueueFor('a');
    const runner = await start({ 'crawl-suite': crawl });
    await until(() => begun.length === 4);
    await enqueueFor('b');
    await until(() => begun.includes('b'));
    expect(begun).toEqual(['a', 'a', 'a', 'a', 'b']);
    end.open();
    await until(() => begun.length === 9);
    await runner.stop();
  });

  it('stops to look for jobs when there is none, whoever is passed over and whatever is given back', async () => {
    const end = gate();
    const crawl = async (_payload: unknown, { takePlace }: JobRun) => {
      for (let time = 0; time < 5; time += 1) takePlace()?.();
      await end.opened;
    };
    const queries = jest.spyOn(Client.prototype, 'query');
    const countLooks = () => queries.mock.calls.filter((args) => JSON.stringify(args).includes('skip locked')).length;
    const runner = await start({ 'crawl-suite': crawl, 'send-reset-link': async () => end.open() });
    for (const userId of ['a', 'a', 'b']) await enqueue(database.db, 'crawl-suite', { suiteId: userId }, { userId });
    const inSomeLooks = { runAt: new Date(Date.now() + 2_500) };
    await enqueue(database.db, 'send-reset-link', { email: 'a@b.co' }, inSomeLooks);
    await end.opened;
    const looks = countLooks();
    queries.mockRestore();
    await runner.stop();
    expect(looks).toBeGreaterThan(5);
    expect(looks).toBeLessThan(150);
  });

  it('puts off a job that failed', async () => {
    const metrics: JobMetric[] = [];
    const fail = async () => {
      throw new Error('no such host');
    };
    const runner = await start({ 'finish-run': fail }, { onMetric: (metric) => void metrics.push(metric) });
    await enqueue(database.db, 'finish-run', { runId: 'r1' });
    await until(async () => (await jobsIn(database.db))[0]?.later === true);
    await runner.stop();
    const expected = { attempts: 1, error: 'no such host', lockedBy: null };
    expect(await jobsIn(database.db)).toEqual([expect.objectContaining(expected)]);
    expect(metrics).toEqual([expect.objectContaining({ job: 'finish-run', outcome: 'failed' })]);
  });

  it('runs a job soon after its time has come, however many places look for jobs', async () => {
    const ran = gate();
    const lateness: number[] = [];
    const due = Date.now() + 1500;
    const crawl = async () => {
      lateness.push(Date.now() - due);
      ran.open();
    };
    const runner = await start({ 'crawl-suite': crawl });
    await enqueue(database.db, 'crawl-suite', { suiteId: 'a' }, { runAt: new Date(due) });
    await ran.opened;
    await runner.stop();
    const [late = Infinity] = lateness;
    expect(late).toBeLessThan(4000);
  });

  it('fails a job whose payload is not valid', async () => {
    const runner = await start({});
    await database.db.raw(`select 1 from graphile_worker.add_job('finish-run', '{"run":1}')`);
    await until(async () => (await jobsIn(database.db))[0]?.later === true);
    await runner.stop();
    const error = 'The payload of the job finish-run is not valid';
    expect(await jobsIn(database.db)).toEqual([expect.objectContaining({ error })]);
  });

  it('runs short jobs beside pages and a crawl', async () => {
    const finished = gate();
    const held = gate();
    let pages = 0;
    const capture = async () => {
      pages += 1;
      await held.opened;
    };
    const runner = await start({
      'try-page': capture,
      'crawl-suite': () => held.opened,
      'finish-run': async () => finished.open(),
    });
    await enqueue(database.db, 'try-page', { trialId: '/1' });
    await enqueue(database.db, 'try-page', { trialId: '/2' });
    await enqueue(database.db, 'crawl-suite', { suiteId: 's1' });
    await until(async () => (await jobsIn(database.db)).filter((job) => job.lockedBy !== null).length === 3);
    await enqueue(database.db, 'finish-run', { runId: 'r1' });
    await finished.opened;
    expect(pages).toBe(2);
    held.open();
    await until(async () => (await jobsIn(database.db)).length === 0);
    await runner.stop();
  });

  it.each(['send-digest', 'send-deliveries'] as const)(
    'runs a check before each %s that waits, whose server may hang',
    async (name) => {
      const begun: string[] = [];
      const server = gate();
      const tell = async () => {
        begun.push('told');
        await server.opened;
      };
      const runner = await start({ [name]: tell, 'show-check': async () => void begun.push('check') });
      for (const id of ['1', '2', '3', '4', '5']) {
        await (name === 'send-digest'
          ? enqueue(database.db, name, { userId: id })
          : enqueue(database.db, name, { targetId: id }));
      }
      await until(() => begun.length === LANE_PLACES.short);
      await enqueue(database.db, 'show-check', { runId: 'r1' });
      server.open();
      await until(async () => (await jobsIn(database.db)).length === 0);
      await runner.stop();
      expect(begun).toEqual(['told', 'told', 'told', 'check', 'told', 'told']);
    },
  );

  it('goes from one job of a queue to the next', async () => {
    const done: string[] = [];
    const runner = await start({ 'try-page': async ({ trialId }) => void done.push(trialId) });
    for (const trialId of ['/1', '/2', '/3', '/4', '/5']) {
      await enqueue(database.db, 'try-page', { trialId }, { queue: 'capture/s1/0' });
    }
    await until(async () => (await jobsIn(database.db)).length === 0);
    await runner.stop();
    expect(done.sort()).toEqual(['/1', '/2', '/3', '/4', '/5']);
  });

  it('takes no job after it was told to stop, and lets the running one end', async () => {
    const running = gate();
    const proceed = gate();
    const capture = async () => {
      running.open();
      await proceed.opened;
    };
    // The first job holds the queue, so a look for jobs that is under way at the stop can't find the second one.
    const queue = { queue: 'capture/s1/0' };
    const runner = await start({ 'try-page': capture });
    await enqueue(database.db, 'try-page', { trialId: '/1' }, queue);
    await running.opened;
    const stopped = runner.stop();
    await enqueue(database.db, 'try-page', { trialId: '/2' }, queue);
    proceed.open();
    await stopped;
    const left = await jobsIn(database.db);
    expect(left).toEqual([expect.objectContaining({ payload: { trialId: '/2' }, attempts: 0 })]);
  });

  it('returns what does not end in time, with no attempt spent and no delay', async () => {
    const running = gate();
    const metrics: JobMetric[] = [];
    const capture = async (_payload: unknown, job: JobRun) => {
      running.open();
      await untilAborted(job);
    };
    const onMetric = (metric: JobMetric) => void metrics.push(metric);
    const runner = await start({ 'try-page': capture }, { drainMs: 10, onMetric });
    await enqueue(database.db, 'try-page', { trialId: '/1' }, { queue: 'capture/s1/0' });
    await running.opened;
    await runner.stop();
    const expected = { attempts: 0, lockedBy: null, later: false, error: null };
    expect(await jobsIn(database.db)).toEqual([expect.objectContaining(expected)]);
    expect(metrics).toEqual([expect.objectContaining({ outcome: 'returned' })]);

    const again = gate();
    const next = await start({ 'try-page': async () => again.open() });
    await again.opened;
    await next.stop();
    expect(await jobsIn(database.db)).toEqual([]);
  });

  it('ends when its lock is lost, and its job is run by another', async () => {
    const running = gate();
    const aborted = gate();
    const capture = async (_payload: unknown, job: JobRun) => {
      running.open();
      await untilAborted(job).finally(aborted.open);
    };
    const runner = await start({ 'try-page': capture });
    await enqueue(database.db, 'try-page', { trialId: '/1' });
    await running.opened;
    await breakLock();
    await aborted.opened;
    await expect(runner.ended).resolves.toBe('lost');
    const again = gate();
    const next = await start({ 'try-page': async () => again.open() });
    await again.opened;
    await next.stop();
    expect(await jobsIn(database.db)).toEqual([]);
  });

  it('keeps its jobs while it lives, whatever others look for', async () => {
    const running = gate();
    const proceed = gate();
    const capture = async () => {
      running.open();
      await proceed.opened;
    };
    const runner = await start({ 'try-page': capture });
    await enqueue(database.db, 'try-page', { trialId: '/1' });
    await running.opened;
    await releaseDeadWorkers(database.db, log);
    expect(await jobsIn(database.db)).toEqual([expect.objectContaining({ lockedBy: expect.any(String) })]);
    proceed.open();
    await runner.stop();
  });
});
