/** Lets the places of a lane begin jobs one after the other: the next one when a job has ended, or is slow. */
export type Turns = {
  /** Waits for a turn to look for a job. False: the lane is closed, and no job may be taken. */
  take(): Promise<boolean>;
  /** No job was found in this turn. */
  pass: () => void;
  /** A job was found in this turn. */
  begin(jobId: string): void;
  end(jobId: string): void;
  close(): void;
};

/** @param slowAfterMs null: the turn ends as soon as the job begins. */
export function createTurns(slowAfterMs: number | null): Turns {
  const waiting: ((isOpen: boolean) => void)[] = [];
  const timers = new Map<string, NodeJS.Timeout>();
  let isTaken = false;
  let isOpen = true;

  const pass = () => {
    const next = waiting.shift();
    if (next === undefined) isTaken = false;
    else next(isOpen);
  };

  return {
    async take() {
      if (isOpen && isTaken) return new Promise((resolve) => waiting.push(resolve));
      isTaken = true;
      return isOpen;
    },
    pass,
    begin(jobId) {
      if (slowAfterMs === null) return pass();
      const beSlow = () => {
        timers.delete(jobId);
        pass();
      };
      timers.set(jobId, setTimeout(beSlow, slowAfterMs).unref());
      return undefined;
    },
    end(jobId) {
      const timer = timers.get(jobId);
      if (timer === undefined) return;
      clearTimeout(timer);
      timers.delete(jobId);
      pass();
    },
    close() {
      isOpen = false;
      for (const answer of waiting.splice(0)) answer(false);
    },
  };
}
