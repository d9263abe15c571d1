import type { Context } from '../../context.ts';
import type { RunFor } from '../read-run.ts';
import type { SettledResult } from './result.ts';
import { findLastSettled, findSettledAfter } from './settled-result-store.ts';

/**
 * How many results one call returns: first the latest ones, then those that followed; the next call returns the rest.
 */
const AT_FIRST = 30;
const AT_ONCE = 100;

/**
 * Results of a run in flight in the order in which they settled. Calling again with the number of the last one returns
 * each result once, and misses none.
 */
export async function listSettledResults(
  { db }: Pick<Context, 'db'>,
  run: RunFor,
  after: number | undefined,
): Promise<SettledResult[]> {
  return after === undefined ? findLastSettled(db, run.id, AT_FIRST) : findSettledAfter(db, run.id, after, AT_ONCE);
}
