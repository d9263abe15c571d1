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
  let rows = await find(null, PART);
  while (rows.length > 0) {
    for (const row of rows) if (await change(row)) changed += 1;
    rows = await find(rows.at(-1)?.id ?? null, PART);
  }
  return changed;
}
