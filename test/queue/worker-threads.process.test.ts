import { describe, expect, it } from '@jest/globals';
import { startWorkerThreads } from '../../src/queue/worker-threads.ts';
import { log, until } from './fixture.ts';

const entry = new URL('thread-process.js', import.meta.url);

function start(behavior: string, count: number, stopMs = 30_000) {
  const messages: unknown[] = [];
  const workerData = { behavior, starts: new SharedArrayBuffer(4) };
  const onMessage = (message: unknown) => void messages.push(message);
  const threads = startWorkerThreads({ count, entry, workerData, log, onMessage, stopMs });
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
