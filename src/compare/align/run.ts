/** `length` rows of the baseline from `a` on that are the same as those of the current image from `b` on. */
export type Run = { a: number; b: number; length: number };

/** Rows `a` up to `aEnd` of the baseline, and `b` up to `bEnd` of the current image. Either may be none. */
export type Hunk = { a: number; aEnd: number; b: number; bEnd: number };

/** Whether a row of the baseline equals one of the current image. */
type IsEqual = (a: number, b: number) => boolean;

/** The part of the hunk without the equal rows at its top and bottom. */
export function trimEqual(hunk: Hunk, isEqual: IsEqual): Hunk {
  const rest = { ...hunk };
  while (rest.a < rest.aEnd && rest.b < rest.bEnd && isEqual(rest.a, rest.b)) {
    rest.a += 1;
    rest.b += 1;
  }
  while (rest.a < rest.aEnd && rest.b < rest.bEnd && isEqual(rest.aEnd - 1, rest.bEnd - 1)) {
    rest.aEnd -= 1;
    rest.bEnd -= 1;
  }
  return rest;
}

/**
 * The same runs with each gap moved down as far as possible. Among equal rows it is unknown where one was inserted or
 * removed, and the choice must not depend on the rest of the page.
 */
export function slideGaps(runs: Run[], isEqual: IsEqual): Run[] {
  const slid: Run[] = [];
  for (const run of runs) {
    const above = slid.at(-1);
    let rows = 0;
    if (above !== undefined) {
      const [a, b] = [above.a + above.length, above.b + above.length];
      const most = (a === run.a) === (b === run.b) ? 0 : run.length;
      while (rows < most && isEqual(a + rows, b + rows)) rows += 1;
      slid[slid.length - 1] = { ...above, length: above.length + rows };
    }
    slid.push({ a: run.a + rows, b: run.b + rows, length: run.length - rows });
  }
  return slid;
}

/** The gaps before, between and after the runs, without empty ones. */
export function hunksBetween(runs: Run[], whole: Hunk): Hunk[] {
  const hunks: Hunk[] = [];
  let { a, b } = whole;
  for (const run of [...runs, { a: whole.aEnd, b: whole.bEnd, length: 0 }]) {
    if (run.a > a || run.b > b) hunks.push({ a, aEnd: run.a, b, bEnd: run.b });
    [a, b] = [run.a + run.length, run.b + run.length];
  }
  return hunks;
}
