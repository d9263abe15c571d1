import { expect, it } from '@jest/globals';
import { createHoldReads } from '../../src/http/serve-endpoints.ts';

it('of too many reads at once the oldest begin first, and those that nobody waits for are left out', async () => {
  const hold = createHoldReads(2);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const left = new AbortController();
  const read = async (name: string, gone = new AbortController().signal) =>
    hold(gone, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  const reads = [read('first'), read('second'), read('third'), read('left', left.signal), read('fifth')];
  const settled = Promise.allSettled(reads);
  await new Promise(setImmediate);
  expect(begun).toEqual(['first', 'second']);
  left.abort(new Error('left'));
  for (const expected of ['third', 'fifth']) {
    ends.shift()?.();
    await new Promise(setImmediate);
    expect(begun.at(-1)).toBe(expected);
  }
  for (const end of ends) end();
  expect((await settled).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
});
