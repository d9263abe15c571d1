/** Keeps the users of a lane from taking all of its places. */
export type Shares = {
  begin(jobId: string, userId: string | null): void;
  end(jobId: string): void;
  /** The users who may not begin another job now. */
  withoutPlace(): string[];
};

/**
 * A user may hold as many places as are free then. So of six places one user takes three, the next one two and a third
 * one the last: whoever has slow jobs in plenty leaves room for others, and is not held back where nobody else comes.
 * Jobs of nobody take places and are never held back.
 */
export function createShares(places: number): Shares {
  const running = new Map<string, string | null>();
  return {
    begin: (jobId, userId) => void running.set(jobId, userId),
    end: (jobId) => void running.delete(jobId),
    withoutPlace() {
      const free = places - running.size;
      const held = new Map<string, number>();
      for (const userId of running.values()) if (userId !== null) held.set(userId, (held.get(userId) ?? 0) + 1);
      return [...held].filter(([, count]) => count >= free).map(([userId]) => userId);
    },
  };
}
