const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

async function timed(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Median milliseconds of both. They take turns, so a slow moment affects both. The first turn is a warm-up. */
export async function inTurns(turns, plain, ours) {
  const times = { plain: [], ours: [] };
  for (let turn = 0; turn <= turns; turn += 1) {
    const [a, b] = [await timed(plain), await timed(ours)];
    if (turn === 0) continue;
    times.plain.push(a);
    times.ours.push(b);
  }
  return [median(times.plain), median(times.ours)];
}
