import { expect, it } from '@jest/globals';
import { readBatches, splitIntoBatches } from '../../src/async/batches.ts';

const read = (length: number) => async (last: number | null, limit: number) =>
  Array.from({ length }, (_, at) => at).slice(last === null ? 0 : last + 1, (last ?? -1) + 1 + limit);

it.each([
  [0, []],
  [2, [[0, 1]]],
  [3, [[0, 1, 2]]],
  [7, [[0, 1, 2], [3, 4, 5], [6]]],
])('reads and splits a list of %i items into batches, none of them empty', async (length, expected) => {
  const batches: number[][] = [];
  for await (const batch of readBatches(3, read(length))) batches.push(batch);
  expect(batches).toEqual(expected);
  expect(
    splitIntoBatches(
      3,
      Array.from({ length }, (_, at) => at),
    ),
  ).toEqual(expected);
});
