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
