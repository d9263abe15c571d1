import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import type { Db } from '../../src/db/database.ts';
import { enqueue } from '../../src/queue/enqueue.ts';
import { installQueue } from '../../src/queue/install-queue.ts';
import { putBackBlocked } from '../../src/queue/maintain-queue.ts';
import { startWorkerThreads } from '../../src/queue/worker-threads.ts';
import { createTestDatabase } from '../support/database.ts';
import { clearJobs, jobsIn, log, until } from './fixture.ts';

const entry = new URL('thread-process.js', import.meta.url);

function start(
  behavior: string,
  count: number,
  limits: { stopMs: number; endMs?: number } = { stopMs: 30_000 },
  until = '',
) {
  const messages: unknown[] = [];
  const workerData = { behavior, starts: new SharedArrayBuffer(4), until };
  const onMessage = (message: unknown) => void messages.push(message);
  const threads = startWorkerThreads({
    count,
    entry,
    workerData,
    log,
    onMessage,
    onBlocked: async () => {},
    ...limits,
  });
  return { threads, messages };
}

describe('startWorkerThreads', () => {
  it('starts as many threads as asked for, passes on what they post, and asks them to end', async () => {
    const { threads, messages } = start('obedient', 2);
    await until(() => messages.length === 2);
    expect(messages).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ thread: 'worker-1' }),
        expect.objectContaining({ thread: 'worker-2' }),
      ]),
    );
    await (await threads).stop();
    expect(messages.slice(2)).toEqual(['bye', 'bye']);
  });

  it('starts a thread again that crashed', async () => {
    const { threads, messages } = start('crash once', 1);
    await until(() => messages.length === 2);
    expect(messages).toEqual([
      { start: 1, thread: 'worker-1' },
      { start: 2, thread: 'worker-1' },
    ]);
    await (await threads).stop();
  });

  it('starts a thread again when the system could not start it at first', async () => {
    const [messages, told]: [unknown[], string[]] = [[], []];
    const odd: { value?: unknown } = {};
    const threads = await startWorkerThreads({
      count: 1,
      entry,
      workerData: { behavior: 'crash once', starts: new SharedArrayBuffer(4), odd },
      log: pino({ level: 'error' }, { write: (line: string) => void told.push(line) }),
      onMessage: (message) => {
        messages.push(message);
        // No thread can be given a function.
        if (messages.length === 1) odd.value = () => {};
      },
      onBlocked: async () => {},
    });
    await until(() => told.some((line) => line.includes('could not restart a worker thread')));
    delete odd.value;
    await until(() => messages.length === 2);
    expect(messages[1]).toEqual({ start: 2, thread: 'worker-1' });
    await threads.stop();
  });

  it('can tell whether a thread takes jobs and has all that they need', async () => {
    const idle = start('obedient', 1);
    await until(() => idle.messages.length === 1);
    const { check } = await idle.threads;
    expect(check).toThrow('no worker thread takes jobs');
    await (await idle.threads).stop();

    const waiting = start('without a browser', 2);
    await until(() => waiting.messages.filter((message) => message === 'waits').length === 2);
    expect((await waiting.threads).check).toThrow('jobs wait for: browser');
    await (await waiting.threads).stop();

    const working = start('with its browser again', 1);
    await until(() => working.messages.includes('works'));
    expect((await working.threads).check).not.toThrow();
    await (await working.threads).stop();
    expect((await working.threads).check).toThrow('no worker thread takes jobs');
  });

  it('terminates a thread that does not end by itself', async () => {
    const { threads, messages } = start('deaf', 1, { stopMs: 50 });
    await until(() => messages.length === 1);
    await (await threads).stop();
    expect(messages).toHaveLength(1);
  });

  it('gives up a thread that cannot be ended', async () => {
    const released = path.join(await mkdtemp(path.join(tmpdir(), 'pixelgate-stuck-')), 'released');
    const { threads, messages } = start('stuck', 1, { stopMs: 50, endMs: 50 }, released);
    await until(() => messages.length === 1);
    await expect((await threads).stop()).rejects.toThrow('A worker thread cannot be ended');
    await writeFile(released, '');
  });
});

describe('a job that blocks its thread', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  beforeAll(async () => {
    database = await createTestDatabase();
    await installQueue(database.url, log);
  });
  let stop = async () => {};
  beforeEach(async () => clearJobs(database.db));
  afterEach(async () => stop());
  afterAll(async () => database.drop());

  async function startBlocking() {
    const [messages, told, putBack]: unknown[][] = [[], [], []];
    const errors = pino({ level: 'error' }, { write: (line: string) => void told?.push(JSON.parse(line)) });
    const putBackPages = async (_db: Db, jobIds: string[], page: unknown) => void putBack?.push({ jobIds, page });
    const threads = await startWorkerThreads({
      count: 1,
      entry: new URL('blocking-thread.js', import.meta.url),
      workerData: { databaseUrl: database.url },
      log,
      onMessage: (message) => void messages?.push(message),
      onBlocked: (blocked) => putBackBlocked(database.db, blocked, putBackPages, errors),
      blockedMs: 1500,
    });
    stop = async () => threads.stop();
    return { messages: messages ?? [], told, putBack };
  }

  it('fails, and is named in the log, while the other jobs of the thread go on in the next', async () => {
    const { messages, told } = await startBlocking();
    await enqueue(database.db, 'send-reset-link', { email: 'a@b.co' });
    await until(() => messages.length === 1);
    // It would come again before the other, where threads are slow to start.
    await enqueue(database.db, 'crawl-suite', { suiteId: 's1' }, { maxAttempts: 1 });
    await until(() => messages.length === 3);
    expect(await jobsIn(database.db)).toEqual([
      expect.objectContaining({ name: 'send-reset-link', attempts: 1, error: null }),
      expect.objectContaining({
        name: 'crawl-suite',
        attempts: 1,
        lockedBy: null,
        error: 'The job blocked its worker thread, which was replaced',
      }),
    ]);
    expect(messages).toEqual([
      { began: 'send-reset-link', attempt: 1 },
      { began: 'crawl-suite', attempt: 1 },
      { began: 'send-reset-link', attempt: 1 },
    ]);
    expect(told).toEqual([expect.objectContaining({ thread: 'worker-1', job: 'crawl-suite', suiteId: 's1' })]);
  });

  it('by one of its pages costs that page an attempt, and no job', async () => {
    const { messages, told, putBack } = await startBlocking();
    await enqueue(database.db, 'capture-suite', { suiteId: 's1', slot: 0 });
    await until(() => messages.length === 1);
    await enqueue(database.db, 'capture-suite', { suiteId: 'block', slot: 1 });
    await until(() => putBack?.length === 1);
    const jobs = await jobsIn(database.db);
    expect(jobs).toEqual(
      [1, 1].map(() => expect.objectContaining({ name: 'capture-suite', later: false, error: null })),
    );
    const { rows } = await database.db.raw<{ rows: { id: string }[] }>(
      'select id::text from graphile_worker._private_jobs order by 1',
    );
    const page = { runId: 'r1', path: '/block' };
    expect(putBack).toEqual([{ jobIds: expect.arrayContaining(rows.map(({ id }) => id)), page }]);
    expect(told).toEqual([
      expect.objectContaining({ job: 'capture-suite', suiteId: 'block', slot: 1, runId: 'r1', path: '/block' }),
    ]);
  });
});
