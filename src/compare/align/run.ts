/** `length` rows of the baseline from `a` on that are the same as those of the current image from `b` on. */
export type Run = { a: number; b: number; length: number };

/** Rows `a` up to `aEnd` of the baseline, and `b` up to `bEnd` of the current image. Either may be none. */
export type Hunk = { a: number; aEnd: number; b: number; bEnd: number };

/** What lies before, between and after the runs. Empty ones are left out. */
export function hunksBetween(runs: Run[], whole: Hunk): Hunk[] {
  const hunks: Hunk[] = [];
  let { a, b } = whole;
  for (const run of [...runs, { a: whole.aEnd, b: whole.bEnd, length: 0 }]) {
    if (run.a > a || run.b > b) hunks.push({ a, aEnd: run.a, b, bEnd: run.b });
    [a, b] = [run.a + run.length, run.b + run.length];
  }
  return hunks;
}
