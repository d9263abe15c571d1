import type { Context } from '../../context.ts';
import type { Suite, SuiteFor } from '../../suites/suite.ts';
import type { StabilityShare } from './stability.ts';
import { findUnstable } from './stability-store.ts';

/** How many the page of a suite shows. */
const LEAST_STABLE = 5;

/** More than a page of the list of pages has, at the most viewports that a suite can have. */
const OF_A_LIST = 1000;

/** The pages and viewports of a suite that are most often unstable; none that never was. */
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
