import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createTurns } from '../../src/queue/take-turns.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** How many of the places have their turn. */
function wait(turns: ReturnType<typeof createTurns>, places: number) {
  const answers: boolean[] = [];
  for (let place = 0; place < places; place += 1) void turns.take().then((answer) => answers.push(answer));
  return answers;
}

describe('the places of a lane', () => {
  it('begin one job after the other', async () => {
    const turns = createTurns(5000);
    const answers = wait(turns, 3);
    await jest.advanceTimersByTimeAsync(0);
    turns.begin('1');
    await jest.advanceTimersByTimeAsync(4999);
    expect(answers).toEqual([true]);
    turns.end('1');
    await jest.advanceTimersByTimeAsync(0);
    expect(answers).toEqual([true, true]);
    turns.pass();
    await jest.advanceTimersByTimeAsync(0);
    expect(answers).toEqual([true, true, true]);
  });

  it('do not wait for a job that is slow, nor begin two when it ends', async () => {
    const turns = createTurns(5000);
    const answers = wait(turns, 3);
    await jest.advanceTimersByTimeAsync(0);
    turns.begin('slow');
    await jest.advanceTimersByTimeAsync(5000);
    expect(answers).toHaveLength(2);
    turns.begin('next');
    turns.end('slow');
    await jest.advanceTimersByTimeAsync(0);
    expect(answers).toHaveLength(2);
    turns.end('next');
    await jest.advanceTimersByTimeAsync(0);
    expect(answers).toHaveLength(3);
  });

  it('are told to take none once the lane is closed', async () => {
    const turns = createTurns(5000);
    const answers = wait(turns, 2);
    turns.close();
    await jest.advanceTimersByTimeAsync(0);
    expect(answers).toEqual([true, false]);
    expect(await turns.take()).toBe(false);
  });
});
