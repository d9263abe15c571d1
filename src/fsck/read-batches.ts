/**
 * Everything that `read` gives, one batch in memory at a time. Each call reads at most `size` items, from the one after
 * the last of the batch before.
 */
export async function* readBatches<T>(
  size: number,
  read: (after: T | null, size: number) => Promise<T[]>,
): AsyncGenerator<T[]> {
  let after: T | null = null;
  for (;;) {
    const batch: T[] = await read(after, size);
    if (batch.length > 0) yield batch;
    if (batch.length < size) return;
    after = batch.at(-1) ?? null;
  }
}
