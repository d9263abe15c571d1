import { ANY_JOB, userFlag } from './enqueue.ts';

/**
 * The places of a lane in one thread limit how much work is in progress. A job has one place, and may take more for
 * work that it does in parallel. Users share them: the next place goes to the waiting user who has the fewest. The last
 * quarter is for users who have none, so that a new user can begin at once. Jobs without a user are never held back.
 */
export type Places = {
  /** Waits until no other search for a job is running. @returns flags: a job with one of them may not be taken now. */
  look(): Promise<string[]>;
  /**
   * Reports that the search found no job. @returns whether to search again, because a user who has more places may have
   * one.
   */
  foundNone(): boolean;
  found(jobId: string, userId: string | null): void;
  end(jobId: string): void;
  /** Takes another place for a user's job. @returns a function that gives it back; null if there is none to take. */
  take(userId: string | null): (() => void) | null;
  isOpen(): boolean;
  /** From now on no job may be taken. */
  close(): void;
};

function countByUser(holders: ReadonlyMap<unknown, string | null>): Map<string, number> {
  const held = new Map<string, number>();
  for (const userId of holders.values()) if (userId !== null) held.set(userId, (held.get(userId) ?? 0) + 1);
  return held;
}

/** @param onFree called when a place that `take` returned is free again. */
export function createPlaces(count: number, onFree: () => void = () => {}): Places {
  const holders = new Map<string | symbol, string | null>();
  const kept = Math.ceil(count / 4);
  const waiting: (() => void)[] = [];
  let isLooking = false;
  let isOpen = true;
  /** Users with this many places are passed over in this search. */
  let level = 1;
  let passedOver = 0;

  const endLook = () => {
    const next = waiting.shift();
    if (next === undefined) isLooking = false;
    else next();
  };

  const free = () => count - holders.size;

  return {
    async look() {
      if (isLooking) await new Promise<void>((resolve) => waiting.push(resolve));
      isLooking = true;
      passedOver = 0;
      if (!isOpen || free() <= 0) return [ANY_JOB];
      const isLast = free() <= kept;
      const users = [...countByUser(holders)]
        .filter(([, held]) => held >= (isLast ? 1 : level))
        .map(([userId]) => userId);
      passedOver = isLast ? 0 : users.length;
      return users.map(userFlag);
    },
    foundNone() {
      const isWorthwhile = passedOver > 0;
      level = isWorthwhile ? level + 1 : 1;
      endLook();
      return isWorthwhile;
    },
    found(jobId, userId) {
      holders.set(jobId, userId);
      level = 1;
      endLook();
    },
    end: (jobId) => void holders.delete(jobId),
    take(userId) {
      const has = userId !== null && (countByUser(holders).get(userId) ?? 0) > 0;
      if (!isOpen || free() <= (has ? kept : 0)) return null;
      const place = Symbol('place');
      holders.set(place, userId);
      return () => {
        if (holders.delete(place)) onFree();
      };
    },
    isOpen: () => isOpen,
    close() {
      isOpen = false;
      for (const next of waiting.splice(0)) next();
    },
  };
}
