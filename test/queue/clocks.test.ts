import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { startClocks } from '../../src/queue/clocks.ts';
import { gate, log } from './fixture.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('startClocks', () => {
  it('ticks at the start and then every so often', async () => {
    let ticks = 0;
    const clocks = startClocks([{ name: 'count', everyMs: 1000, tick: async () => void (ticks += 1) }], log);
    expect(ticks).toBe(1);
    await jest.advanceTimersByTimeAsync(3000);
    expect(ticks).toBe(4);
    await clocks.stop();
    await jest.advanceTimersByTimeAsync(3000);
    expect(ticks).toBe(4);
  });

  it('never begins a tick before the last has ended', async () => {
    const held = gate();
    let ticks = 0;
    const tick = async () => {
      ticks += 1;
      await held.opened;
    };
    const clocks = startClocks([{ name: 'slow', everyMs: 1000, tick }], log);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(ticks).toBe(1);
    held.open();
    await jest.advanceTimersByTimeAsync(1000);
    expect(ticks).toBe(2);
    await clocks.stop();
  });

  it('comes round again after a tick that threw', async () => {
    let ticks = 0;
    const tick = async () => {
      ticks += 1;
      throw new Error('database away');
    };
    const clocks = startClocks([{ name: 'failing', everyMs: 1000, tick }], log);
    await jest.advanceTimersByTimeAsync(1000);
    expect(ticks).toBe(2);
    await clocks.stop();
  });

  it('waits for the running tick when it stops', async () => {
    const held = gate();
    let ended = false;
    const tick = async () => {
      await held.opened;
      ended = true;
    };
    const clocks = startClocks([{ name: 'slow', everyMs: 1000, tick }], log);
    const stopped = clocks.stop();
    held.open();
    await stopped;
    expect(ended).toBe(true);
  });
});
