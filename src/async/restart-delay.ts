const FIRST_MS = 500;
const MOST_MS = 30_000;
/** After living this long it did not fail at its start, so the next restart is quick again. */
const STABLE_MS = 60_000;

export type RestartDelay = {
  started(name: string): void;
  /** Milliseconds to wait before it is started again. Longer each time it ends soon after its start. */
  next(name: string): number;
};

/** For threads and processes that are kept alive. */
export function createRestartDelay(): RestartDelay {
  const startedAt = new Map<string, number>();
  const delays = new Map<string, number>();
  return {
    started: (name) => void startedAt.set(name, performance.now()),
    next(name) {
      const isStable = performance.now() - (startedAt.get(name) ?? 0) > STABLE_MS;
      const delay = isStable ? FIRST_MS : (delays.get(name) ?? FIRST_MS);
      delays.set(name, Math.min(delay * 2, MOST_MS));
      return delay;
    },
  };
}
