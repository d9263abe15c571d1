const REPEATS = 5;

/** CPU time of this process in milliseconds: other processes do not add to it, however busy the machine is. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The least of several measurements, since others only ever add to it. */
function cost(work: () => void): number {
  let least = Infinity;
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const before = cpuMs();
    work();
    least = Math.min(least, cpuMs() - before);
  }
  return least;
}

/** Below this, the clock and the collector weigh more than the work. */
const MEASURABLE_MS = 8;
const LARGEST = 2 ** 22;
const TIMES = 8;

/**
 * How work grows with its input: near 1 where it grows with the size, 2 with its square. `prepare` makes the work for an
 * input of a size; making it does not count.
 */
export function growth(prepare: (size: number) => () => void): number {
  for (let size = 256; ; size *= 2) {
    const least = cost(prepare(size));
    if (least >= MEASURABLE_MS || size >= LARGEST) {
      return Math.log(cost(prepare(size * TIMES)) / least) / Math.log(TIMES);
    }
  }
}

/** Between the two, so that a busy machine does not matter. */
export const LINEAR = 1.75;
