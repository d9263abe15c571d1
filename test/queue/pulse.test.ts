import { describe, expect, it } from '@jest/globals';
import { countBeats, createPulse, createPulseWatch, readWork, resetPulse, startPulse } from '../../src/queue/pulse.ts';

/** Threads whose count goes on when the test says so, and a watch that looks every second. */
function watchThreads(...names: string[]) {
  const pulses = new Map(names.map((name) => [name, createPulse()]));
  const watch = createPulseWatch(pulses, 5000);
  let now = 0;
  return {
    beat: (name: string) => {
      const pulse = pulses.get(name);
      if (pulse !== undefined) pulse[0] = countBeats(pulse) + 1n;
    },
    restart: (name: string) => {
      const pulse = pulses.get(name);
      if (pulse !== undefined) resetPulse(pulse);
    },
    look: (afterMs = 1000) => watch.look((now += afterMs)),
  };
}

describe('the watch over threads', () => {
  it('finds one whose event loop has stood still for five seconds, once', () => {
    const threads = watchThreads('a', 'b');
    const found = Array.from({ length: 12 }, (_, second) => {
      threads.beat('a');
      if (second < 3) threads.beat('b');
      return threads.look();
    });
    expect(found.map((names) => names.join())).toEqual(['', '', '', '', '', '', '', 'b', '', '', '', '']);
  });

  it('leaves a thread alone that is starting, however long it takes, and watches it again after', () => {
    const threads = watchThreads('a');
    for (let second = 0; second < 20; second += 1) expect(threads.look()).toEqual([]);
    threads.beat('a');
    const found = Array.from({ length: 6 }, () => threads.look());
    expect(found.at(-1)).toEqual(['a']);
    threads.restart('a');
    for (let second = 0; second < 20; second += 1) expect(threads.look()).toEqual([]);
  });

  it('starts over after the whole process was held up', () => {
    const threads = watchThreads('a');
    threads.beat('a');
    for (let second = 0; second < 4; second += 1) threads.look();
    expect(threads.look(60_000)).toEqual([]);
    expect(threads.look()).toEqual([]);
  });
});

describe('a pulse', () => {
  it('tells the work whose code runs, whose begin and end it posts', async () => {
    const pulse = createPulse();
    expect(readWork(pulse)).toBe(0);
    const posted: unknown[] = [];
    const track = startPulse(pulse, (message) => void posted.push(message));
    const work = { jobId: '7', job: 'capture-suite', payload: { suiteId: 's', slot: 0 }, page: null };
    const page = { runId: 'r', path: '/' };
    await track(work, async () => {
      expect(readWork(pulse)).toBe(1);
      await track({ ...work, page }, async () => expect(readWork(pulse)).toBe(2));
    });
    expect(posted).toEqual([
      { type: 'work', number: 1, work },
      { type: 'work', number: 2, work: { ...work, page } },
      { type: 'work', number: 2, work: null },
      { type: 'work', number: 1, work: null },
    ]);
    resetPulse(pulse);
    expect(readWork(pulse)).toBe(0);
  });
});
