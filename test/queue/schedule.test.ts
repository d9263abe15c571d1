import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { startSchedule } from '../../src/queue/schedule.ts';
import { gate, log } from './fixture.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('startSchedule', () => {
  it('runs at the start and then every so often', async () => {
    let runs = 0;
    const schedule = startSchedule([{ name: 'count', everyMs: 1000, run: async () => void (runs += 1) }], log);
    expect(runs).toBe(1);
    await jest.advanceTimersByTimeAsync(3000);
    expect(runs).toBe(4);
    await schedule.stop();
    await jest.advanceTimersByTimeAsync(3000);
    expect(runs).toBe(4);
  });

  it('never begins a run before the last has ended', async () => {
    const held = gate();
    let runs = 0;
    const run = async () => {
      runs += 1;
      await held.opened;
    };
    const schedule = startSchedule([{ name: 'slow', everyMs: 1000, run }], log);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(runs).toBe(1);
    held.open();
    await jest.advanceTimersByTimeAsync(1000);
    expect(runs).toBe(2);
    await schedule.stop();
  });

  it('comes round again after a run that threw', async () => {
    let runs = 0;
    const run = async () => {
      runs += 1;
      throw new Error('database away');
    };
    const schedule = startSchedule([{ name: 'failing', everyMs: 1000, run }], log);
    await jest.advanceTimersByTimeAsync(1000);
    expect(runs).toBe(2);
    await schedule.stop();
  });

  it('waits for the run under way when it stops', async () => {
    const held = gate();
    let ended = false;
    const run = async () => {
      await held.opened;
      ended = true;
    };
    const schedule = startSchedule([{ name: 'slow', everyMs: 1000, run }], log);
    const stopped = schedule.stop();
    held.open();
    await stopped;
    expect(ended).toBe(true);
  });
});
