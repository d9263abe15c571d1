import { ANY_JOB, userFlag } from './enqueue.ts';

/**
 * The places of a lane in one thread: how much of it is under way at once. A job has one, and may take more for what it has
 * under way beside. Users share them: the next place goes to the user who has the fewest of those who want one, and nobody
 * takes the last quarter while he has one, so that whoever comes new begins at once. Jobs of nobody are never held back.
 */
export type Places = {
  /** Waits until nobody else looks for a job. @returns flags; a job that has one of them may not be taken now. */
  look(): Promise<string[]>;
  /** What came of the look. @returns whether there may be a job for somebody who has more places: look again. */
  foundNone(): boolean;
  found(jobId: string, userId: string | null): void;
  end(jobId: string): void;
  /** A place more for a user's job. @returns what gives it back; null when none may be had. */
  take(userId: string | null): (() => void) | null;
  isOpen(): boolean;
  /** From now on nothing may be taken. */
  close(): void;
};

/** @param onFree a place that was taken by `take` is free again. */
export function createPlaces(count: number, onFree: () => void = () => {}): Places {
  const holders = new Map<string | symbol, string | null>();
  const kept = Math.ceil(count / 4);
  const waiting: (() => void)[] = [];
  let isLooking = false;
  let isOpen = true;
  /** Whoever has so many places is passed over in this look. */
  let level = 1;
  let passedOver = 0;

  const endLook = () => {
    const next = waiting.shift();
    if (next === undefined) isLooking = false;
    else next();
  };

  function countByUser(): Map<string, number> {
    const held = new Map<string, number>();
    for (const userId of holders.values()) if (userId !== null) held.set(userId, (held.get(userId) ?? 0) + 1);
    return held;
  }

  const free = () => count - holders.size;

  return {
    async look() {
      if (isLooking) await new Promise<void>((resolve) => waiting.push(resolve));
      isLooking = true;
      passedOver = 0;
      if (!isOpen || free() <= 0) return [ANY_JOB];
      const isLast = free() <= kept;
      const users = [...countByUser()].filter(([, held]) => held >= (isLast ? 1 : level)).map(([userId]) => userId);
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
      const has = userId !== null && (countByUser().get(userId) ?? 0) > 0;
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
