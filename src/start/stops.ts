export type Stop = () => Promise<void>;

export type Stops = {
  add(stop: Stop): void;
  /** Stops what was started, the last first. @throws the first error, when the rest is stopped as well. */
  run: Stop;
};

/** What has been started and must be stopped in the end. */
export function createStops(): Stops {
  const stops: Stop[] = [];
  return {
    add: (stop) => void stops.push(stop),
    async run() {
      const failures: unknown[] = [];
      for (let next = stops.pop(); next !== undefined; next = stops.pop()) {
        await next().catch((error: unknown) => void failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
