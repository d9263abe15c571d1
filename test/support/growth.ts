/** CPU time of this process in milliseconds: other processes do not add to it, however busy the machine is. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** What the clock tells apart. */
const SHORTEST_MS = 0.001;

function cost(work: () => void): number {
  const before = cpuMs();
  work();
  return Math.max(cpuMs() - before, SHORTEST_MS);
}

/** Below this, the clock and the collector weigh more than the work. */
const MEASURABLE_MS = 8;
const LARGEST = 2 ** 22;
const TIMES = 8;
/** How often work of both sizes is done: at least, and at most where it seems to grow too fast. */
const FEW = 5;
const MANY = 60;

/** Between the two kinds of growth. */
export const LINEAR = 1.75;

/**
 * How work grows with its input: near 1 where it grows with the size, 2 with its square. `prepare` makes the work for an
 * input of a size; making it does not count. Of several measurements the least counts, since a slow host, a collector or
 * a cold cache only ever add to it; so what grows too fast is measured until that cannot be the reason.
 */
export function growth(prepare: (size: number) => () => void): number {
  let size = 256;
  let small = prepare(size);
  let least = cost(small);
  while (least < MEASURABLE_MS && size < LARGEST) {
    size *= 2;
    small = prepare(size);
    least = Math.min(cost(small), cost(small));
  }
  const large = prepare(size * TIMES);
  let most = cost(large);
  const grown = () => Math.log(most / least) / Math.log(TIMES);
  for (let round = 1; round < MANY && (round < FEW || grown() >= LINEAR); round += 1) {
    least = Math.min(least, cost(small));
    most = Math.min(most, cost(large));
  }
  return grown();
}
