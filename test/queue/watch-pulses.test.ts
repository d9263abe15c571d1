import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { countBeats, createPulse, readJob, readStarvedMs, resetPulse, startPulse } from '../../src/queue/pulse.ts';
import { createPulseWatch } from '../../src/queue/watch-pulses.ts';

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

  it('does not count the time in which a thread gets no processor', () => {
    const pulse = createPulse();
    let starvedMs = 0;
    const watch = createPulseWatch(new Map([['a', pulse]]), 5000, () => starvedMs);
    pulse[0] = 1n;
    const found = Array.from({ length: 30 }, (_, second) => {
      if (second > 2 && second <= 12) starvedMs += 1000;
      return watch.look(second * 1000).length;
    });
    expect(found.indexOf(1)).toBe(15);
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
  it('tells the job whose code runs, and none at the start', () => {
    const pulse = createPulse();
    expect(readJob(pulse)).toBeNull();
    pulse[1] = 9_007_199_254_740_993n;
    expect(readJob(pulse)).toBe('9007199254740993');
  });

  it('tells for how long its thread got no processor, where the kernel tells it, until it starts again', () => {
    const pulse = createPulse();
    expect(readStarvedMs(pulse)).toBe(0);
    startPulse(pulse);
    expect(readStarvedMs(pulse) > 0).toBe(existsSync('/proc/thread-self/schedstat'));
    resetPulse(pulse);
    expect(readStarvedMs(pulse)).toBe(0);
  });
});
