import type { Context } from '../../context.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { readRest } from '../list/list-for-review.ts';
import { walkChanges } from './list-changes.ts';

/** Where a review begins. `change`: the key of a change. */
export type FirstDecision = { change: string | null; resultId: string };

/** The first undecided change, or else the first undecided result without a known change. Null if there is none. */
export async function findFirstDecision(ctx: Pick<Context, 'db'>, run: RunFor): Promise<FirstDecision | null> {
  const { stops } = await walkChanges(ctx, run, null);
  const [first] = stops;
  // The walk around a change includes the next undecided one, wherever it is.
  const all = first === undefined ? [] : [...stops, ...(await walkChanges(ctx, run, first.key)).stops];
  const open = all.find(({ undecided }) => undecided > 0);
  if (open !== undefined) return { change: open.key, resultId: open.resultId };
  const { firstUndecided } = await readRest(ctx, run);
  return firstUndecided === null ? null : { change: null, resultId: firstUndecided };
}

/** Where to look at a change first. Null when the run has none with this key. */
export async function findChange(ctx: Pick<Context, 'db'>, run: RunFor, key: string): Promise<FirstDecision | null> {
  const stop = (await walkChanges(ctx, run, key)).stops.find((each) => each.key === key);
  return stop === undefined ? null : { change: key, resultId: stop.resultId };
}
