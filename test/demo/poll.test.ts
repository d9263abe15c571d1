import { describe, expect, it } from '@jest/globals';
import { pollUntilDone } from '../../src/demo/poll-until-done.ts';

const counting = (until: number, more: { patience?: number; signal?: AbortSignal; mark?: () => string } = {}) => {
  let asked = 0;
  return pollUntilDone({
    ask: async () => (asked += 1),
    isDone: (answer) => answer === until,
    onAnswer: more.mark ?? String,
    interval: 0,
    patience: more.patience ?? 60_000,
    what: 'The work',
    signal: more.signal ?? new AbortController().signal,
  });
};

describe('polling', () => {
  it('asks until the work is done and returns the last answer', async () => {
    expect(await counting(5)).toBe(5);
  });

  it('gives up on work that does not move', async () => {
    await expect(counting(Infinity, { patience: 0, mark: () => 'stuck' })).rejects.toThrow(
      'The work has made no progress for 0 seconds (stuck)',
    );
  });

  it('ends when it is interrupted', async () => {
    await expect(counting(Infinity, { signal: AbortSignal.abort() })).rejects.toThrow(/aborted/);
  });
});
