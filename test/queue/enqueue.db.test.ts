import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { enqueue, enqueueAll } from '../../src/queue/enqueue.ts';
import { installQueue } from '../../src/queue/install-queue.ts';
import { createTestDatabase } from '../support/database.ts';
import { clearJobs, jobsIn, log, pretendTaken } from './fixture.ts';

const database = await createTestDatabase();
await Promise.all([installQueue(database.url, log), installQueue(database.url, log), installQueue(database.url, log)]);
beforeEach(async () => clearJobs(database.db));
afterAll(async () => database.drop());

describe('enqueue', () => {
  it('adds a job with the priority and attempts of its kind', async () => {
    await enqueue(database.db, 'try-page', { trialId: '/a_b?c=d' });
    expect(await jobsIn(database.db)).toEqual([
      {
        name: 'try-page',
        payload: { trialId: '/a_b?c=d' },
        key: null,
        queue: null,
        priority: -2,
        attempts: 0,
        maxAttempts: 2,
        lockedBy: null,
        error: null,
        later: false,
      },
    ]);
  });

  it('takes options over the defaults', async () => {
    const runAt = new Date(Date.now() + 60_000);
    const options = { key: 'k', queue: 'capture/s1/2', runAt, priority: -7, maxAttempts: 1 };
    await enqueue(database.db, 'try-page', { trialId: '/' }, options);
    const expected = { key: 'k', queue: 'capture/s1/2', priority: -7, maxAttempts: 1, later: true };
    expect(await jobsIn(database.db)).toEqual([expect.objectContaining(expected)]);
  });

  it('names key and queue after the payload, as its kind says', async () => {
    await enqueue(database.db, 'show-check', { runId: 'r1' });
    await enqueueAll(database.db, 'finish-run', [{ payload: { runId: 'r1' } }]);
    expect(await jobsIn(database.db)).toEqual([
      expect.objectContaining({ name: 'show-check', key: 'check/r1', queue: 'check/r1' }),
      expect.objectContaining({ name: 'finish-run', key: 'finish/r1', queue: null, priority: -1 }),
    ]);
  });

  it('keeps of what it is given only what the job is told', async () => {
    const pullRequest = { owner: 'acme', repo: 'site', number: 7, title: 'A secret' };
    await enqueue(database.db, 'promote-pull-request', pullRequest);
    const payload = { owner: 'acme', repo: 'site', number: 7 };
    expect(await jobsIn(database.db)).toEqual([expect.objectContaining({ payload })]);
  });

  it('leaves nothing behind in a transaction that is rolled back', async () => {
    const work = database.db.transaction(async (trx) => {
      await enqueue(trx, 'finish-run', { runId: 'r1' });
      await enqueueAll(trx, 'finish-run', [{ payload: { runId: 'r2' } }]);
      expect(await jobsIn(trx)).toHaveLength(2);
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await jobsIn(database.db)).toEqual([]);
  });

  it('takes a key of any length, and tells long ones apart by their end', async () => {
    const long = 'x'.repeat(2000);
    for (const key of [`${long}1`, `${long}2`, `${long}2`])
      await enqueue(database.db, 'finish-run', { runId: key }, { key });
    await enqueueAll(database.db, 'finish-run', [{ payload: { runId: 'all' }, options: { key: `${long}1` } }]);
    const jobs = await jobsIn(database.db);
    expect(jobs.map(({ payload }) => payload)).toEqual(
      expect.arrayContaining([{ runId: `${long}2` }, { runId: 'all' }]),
    );
    expect(jobs).toHaveLength(2);
  });

  it('keeps one waiting job a key, the latest', async () => {
    await enqueue(database.db, 'finish-run', { runId: 'old' }, { key: 'finish' });
    await enqueue(database.db, 'finish-run', { runId: 'new' }, { key: 'finish' });
    expect(await jobsIn(database.db)).toEqual([expect.objectContaining({ payload: { runId: 'new' } })]);
  });

  it('adds a job beside a running one with its key, which then has no further attempt', async () => {
    await enqueue(database.db, 'finish-run', { runId: 'r1' }, { key: 'finish' });
    await pretendTaken(database.db, 'pool-x', 1);
    await enqueue(database.db, 'finish-run', { runId: 'r1' }, { key: 'finish' });
    const [running, waiting] = await jobsIn(database.db);
    expect(running).toMatchObject({ key: null, attempts: 10, lockedBy: 'pool-x' });
    expect(waiting).toMatchObject({ key: 'finish', attempts: 0, lockedBy: null });
  });

  it('leaves a running job with its key alone when told to', async () => {
    await enqueue(database.db, 'crawl-suite', { suiteId: 's1' }, { key: 'crawl' });
    await pretendTaken(database.db, 'pool-x', 1);
    await enqueue(database.db, 'crawl-suite', { suiteId: 's1' }, { key: 'crawl', keyMode: 'unsafe_dedupe' });
    expect(await jobsIn(database.db)).toEqual([expect.objectContaining({ key: 'crawl', attempts: 1 })]);
  });
});

describe('enqueueAll', () => {
  it('adds thousands of jobs over the slots of a suite', async () => {
    const jobs = Array.from({ length: 5000 }, (_, index) => ({
      payload: { trialId: `/${index}` },
      options: { key: `r1/${index}`, queue: `capture/s1/${index % 3}` },
    }));
    await enqueueAll(database.db, 'try-page', jobs);
    await enqueueAll(database.db, 'try-page', jobs);
    const rows = await jobsIn(database.db);
    expect(rows).toHaveLength(5000);
    expect(new Set(rows.map((row) => row.queue))).toEqual(new Set(['capture/s1/0', 'capture/s1/1', 'capture/s1/2']));
  });

  it('takes the later of two jobs with one key, and each job that has none', async () => {
    await enqueueAll(database.db, 'end-unlinked-runs', [
      { payload: { suiteId: 'a' }, options: { key: 'k' } },
      { payload: { suiteId: 'b' } },
      { payload: { suiteId: 'b' } },
      { payload: { suiteId: 'c' }, options: { key: 'k' } },
    ]);
    const payloads = (await jobsIn(database.db)).map((row) => row.payload);
    expect(payloads).toHaveLength(3);
    expect(payloads).toEqual(expect.arrayContaining([{ suiteId: 'b' }, { suiteId: 'c' }]));
  });

  it('does nothing for an empty list', async () => {
    await enqueueAll(database.db, 'finish-run', []);
    expect(await jobsIn(database.db)).toEqual([]);
  });
});
