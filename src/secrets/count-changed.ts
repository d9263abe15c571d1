import { readBatches } from '../async/batches.ts';

const PART = 500;

/**
 * Changes all rows of a table, some at a time, and counts those that needed it.
 * @param find the rows after an id, in the order of their ids; null: the first
 */
export async function countChanged<T extends { id: string }>(
  find: (after: string | null, limit: number) => Promise<T[]>,
  change: (row: T) => Promise<boolean>,
): Promise<number> {
  let changed = 0;
  for await (const rows of readBatches<T>(PART, async (last, limit) => find(last?.id ?? null, limit))) {
    for (const row of rows) if (await change(row)) changed += 1;
  }
  return changed;
}
