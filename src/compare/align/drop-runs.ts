import type { Columns } from './columns.ts';
import { fitHunk } from './cost.ts';
import type { Hunk, Run } from './run.ts';

/** Gaps this many rows apart may be one change in its place: a line of text that was edited, for example. */
const NEAR = 40;

/** The maximum share of pixels that is compared for this. */
const SHARE = 0.25;

type Search = { columns: Columns; whole: Hunk; pixelsLeft: number };

const START = { length: 0 } as const;

/** Rows between two runs. Without a run: from the start, or up to the end, of all rows. */
function between({ whole }: Search, above: Run | undefined, below: Run | undefined): Hunk {
  const from = above ?? { a: whole.a, b: whole.b, ...START };
  const to = below ?? { a: whole.aEnd, b: whole.bEnd };
  return { a: from.a + from.length, aEnd: to.a, b: from.b + from.length, bEnd: to.b };
}

function cost(search: Search, above: Run | undefined, below: Run | undefined): number {
  const fit = fitHunk(search.columns, between(search, above, below));
  search.pixelsLeft -= fit.compared;
  return fit.cost;
}

/** True when a hunk has as many rows in both images, so that nothing moves there. */
const isEven = ({ a, aEnd, b, bEnd }: Hunk) => aEnd - a === bEnd - b;

/** How many runs after `kept` should be dropped, because fewer pixels differ if the rows stay in place. */
function countDropped(search: Search, kept: Run | undefined, runs: Run[], at: number): number {
  if ((runs[at]?.length ?? 0) > NEAR || search.pixelsLeft < 0) return 0;
  // Content that does not move is in place already.
  if (isEven(between(search, kept, runs[at])) && isEven(between(search, runs[at], runs[at + 1]))) return 0;
  let apart = cost(search, kept, runs[at]);
  let rows = 0;
  for (let next = at; next < runs.length; next += 1) {
    rows += runs[next]?.length ?? 0;
    if (rows > NEAR || search.pixelsLeft < 0) return 0;
    apart += cost(search, runs[next], runs[next + 1]);
    if (cost(search, kept, runs[next + 1]) <= apart) return next + 1 - at;
  }
  return 0;
}

/**
 * Leaves out runs that only cut a change into pieces: short ones between two gaps, where laying everything in one place
 * has no more differing pixels than the gaps.
 */
export function dropRuns(columns: Columns, whole: Hunk, runs: Run[]): Run[] {
  const rows = whole.aEnd - whole.a + whole.bEnd - whole.b;
  const search = { columns, whole, pixelsLeft: SHARE * rows * columns.baseline.width };
  const kept: Run[] = [];
  let at = 0;
  while (at < runs.length) {
    const dropped = countDropped(search, kept.at(-1), runs, at);
    const run = runs[at];
    at += Math.max(1, dropped);
    if (dropped === 0 && run !== undefined) kept.push(run);
  }
  return kept;
}
