import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { startWorkerThreads } from '../../src/queue/worker-threads.ts';
import { enqueue } from '../../src/queue/enqueue.ts';
import { installQueue } from '../../src/queue/install-queue.ts';
import { putBackBlocked } from '../../src/queue/put-back-blocked.ts';
import { createTestDatabase } from '../support/database.ts';
import { jobsIn, log, until } from './fixture.ts';

const entry = new URL('thread-process.js', import.meta.url);

function start(behavior: string, count: number, stopMs = 30_000) {
  const messages: unknown[] = [];
  const workerData = { behavior, starts: new SharedArrayBuffer(4) };
  const onMessage = (message: unknown) => void messages.push(message);
  const threads = startWorkerThreads({ count, entry, workerData, log, onMessage, onBlocked: async () => {}, stopMs });
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

  it('terminates a thread that does not end by itself', async () => {
    const { threads, messages } = start('deaf', 1, 50);
    await until(() => messages.length === 1);
    await (await threads).stop();
    expect(messages).toHaveLength(1);
  });
});

describe('a job that blocks its thread', () => {
  it('fails, and is named in the log, while the other jobs of the thread go on in the next', async () => {
    const database = await createTestDatabase();
    await installQueue(database.url, log);
    const messages: unknown[] = [];
    const told: unknown[] = [];
    const errors = pino({ level: 'error' }, { write: (line: string) => void told.push(JSON.parse(line)) });
    const threads = await startWorkerThreads({
      count: 1,
      entry: new URL('blocking-thread.js', import.meta.url),
      workerData: { databaseUrl: database.url },
      log,
      onMessage: (message) => void messages.push(message),
      onBlocked: (blocked) => putBackBlocked(database.db, blocked, errors),
      blockedMs: 1500,
    });
    await enqueue(database.db, 'send-reset-link', { email: 'a@b.co' });
    await until(() => messages.length === 1);
    await enqueue(database.db, 'capture-page', { runId: 'r1', path: '/block' }, { queue: 'capture/s1/0' });
    await until(() => messages.length === 3);
    const jobs = await jobsIn(database.db);
    expect(jobs).toEqual([
      expect.objectContaining({ name: 'send-reset-link', attempts: 1, error: null }),
      expect.objectContaining({
        name: 'capture-page',
        attempts: 1,
        lockedBy: null,
        later: true,
        error: 'The job blocked its worker thread, which was replaced',
      }),
    ]);
    expect(messages).toEqual([
      { began: 'send-reset-link', attempt: 1 },
      { began: '/block', attempt: 1 },
      { began: 'send-reset-link', attempt: 1 },
    ]);
    expect(told).toEqual([
      expect.objectContaining({ thread: 'worker-1', job: 'capture-page', runId: 'r1', path: '/block' }),
    ]);
    await threads.stop();
    await database.drop();
  });
});
