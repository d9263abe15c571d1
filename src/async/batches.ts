import { setImmediate as nextTurn } from 'node:timers/promises';

/** Other work waits for the event loop no longer than this, plus one item. */
const TURN_MS = 20;

/** Iterates over the items of long work, with pauses in which other work can run. */
export async function* inTurns<T>(items: Iterable<T>): AsyncGenerator<T> {
  let since = performance.now();
  for (const item of items) {
    yield item;
    if (performance.now() - since < TURN_MS) continue;
    await nextTurn();
    since = performance.now();
  }
}

/**
 * A long list in its order, in batches that are read on request. The last one may be smaller; none is empty.
 * @param read at most `limit` items after the last item of the batch before; null: the first ones
 */
export async function* readBatches<T>(
  size: number,
  read: (last: T | null, limit: number) => Promise<T[]>,
): AsyncGenerator<T[]> {
  let last: T | null = null;
  for (;;) {
    const batch: T[] = await read(last, size);
    if (batch.length > 0) yield batch;
    if (batch.length < size) return;
    last = batch.at(-1) ?? null;
  }
}

/** A list that is in memory, in batches: a statement or a service takes only so many items at once. */
export function splitIntoBatches<T>(size: number, all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
}

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
