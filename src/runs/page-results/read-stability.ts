import type { Context } from '../../context.ts';
import type { Suite, SuiteFor } from '../../suites/suite.ts';
import { findUnstable } from './stability-store.ts';
import type { StabilityShare } from './stability.ts';

/** How many are shown on a suite's page. */
const LEAST_STABLE = 5;

/** More than one page of the list of pages can have, at the maximum number of viewports. */
const OF_A_LIST = 1000;

/** The pages and viewports of a suite that are most often unstable, without those that never were. */
export async function listLeastStable(
  { db }: Pick<Context, 'db'>,
  suite: Pick<SuiteFor, 'id'>,
): Promise<StabilityShare[]> {
  return findUnstable(db, suite.id, null, LEAST_STABLE);
}

/** The unstable ones among these pages, at each viewport. */
export async function readStability(
  { db }: Pick<Context, 'db'>,
  suite: Pick<Suite, 'id'>,
  paths: string[],
): Promise<StabilityShare[]> {
  return paths.length === 0 ? [] : findUnstable(db, suite.id, paths, OF_A_LIST);
}
