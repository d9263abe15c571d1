import pLimit from 'p-limit';

/**
 * Concurrent reads of one process. They share the database and the event loop, so with too many at once all of them
 * would be late. More than the pool has connections, because some wait for GitHub or the storage.
 */
const MOST_AT_ONCE = 16;

/** Handles a read of a page or of the API when there is room for it, the oldest first. @throws the reason of `gone` */
type HoldReads = <T>(gone: AbortSignal, read: () => Promise<T>) => Promise<T>;

export function createHoldReads(most = MOST_AT_ONCE): HoldReads {
  const limit = pLimit(most);
  return async (gone, read) =>
    limit(async () => {
      // The client has left.
      gone.throwIfAborted();
      return read();
    });
}

/** Pages, the API and agents share it: all of them read the same database. */
export const holdReads = createHoldReads();
