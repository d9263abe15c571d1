export type Stop = () => Promise<void>;

export type Stops = {
  add(stop: Stop): void;
  /** Stops what was started, the last first. */
  run: Stop;
};

/** What has been started and must be stopped in the end. */
export function createStops(): Stops {
  const stops: Stop[] = [];
  return {
    add: (stop) => void stops.push(stop),
    async run() {
      for (let next = stops.pop(); next !== undefined; next = stops.pop()) await next();
    },
  };
}
