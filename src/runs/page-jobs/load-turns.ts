/** Lets one page of a slot work at a time: it loads, is laid out and captured, until it waits for something. */
export type LoadTurns = {
  /**
   * Waits for a turn, first come, first served. @returns a function that ends the turn and may be called repeatedly.
   */
  take(): Promise<() => void>;
  /** Waits until no page has a turn or waits for one. */
  free(): Promise<void>;
};

export function createLoadTurns(): LoadTurns {
  const waiting: (() => void)[] = [];
  let told: (() => void)[] = [];
  let isTaken = false;

  const next = () => {
    const begin = waiting.shift();
    if (begin !== undefined) return begin();
    isTaken = false;
    const idle = told;
    told = [];
    for (const tell of idle) tell();
    return undefined;
  };

  return {
    async take() {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
      isTaken = true;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        next();
      };
    },
    async free() {
      if (isTaken) await new Promise<void>((resolve) => told.push(resolve));
    },
  };
}
