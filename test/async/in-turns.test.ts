import { expect, it } from '@jest/globals';
import { inTurns } from '../../src/async/batches.ts';

it('lets others be served between items that take long, and gives all items in order', async () => {
  let served = 0;
  const watch = setInterval(() => (served += 1), 1);
  const given: number[] = [];
  for await (const item of inTurns([1, 2, 3, 4])) {
    given.push(item);
    for (const end = performance.now() + 25; performance.now() < end;);
  }
  clearInterval(watch);
  expect(given).toEqual([1, 2, 3, 4]);
  expect(served).toBeGreaterThanOrEqual(3);
});
