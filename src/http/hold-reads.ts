import pLimit from 'p-limit';

/**
 * Of one process. Reads wait for the database and for the event loop, and so for each other: of many at once all would end
 * late. More than the connections of its pool, because some wait for GitHub or the storage meanwhile.
 */
const MOST_AT_ONCE = 16;

/** Reads a page or an answer of the API when it is its turn: the oldest first. @throws the reason of `gone` */
export type HoldReads = (gone: AbortSignal, read: () => Promise<void>) => Promise<void>;

export function createHoldReads(most = MOST_AT_ONCE): HoldReads {
  const limit = pLimit(most);
  return async (gone, read) =>
    limit(async () => {
      // Nobody waits for it any more.
      gone.throwIfAborted();
      await read();
    });
}
