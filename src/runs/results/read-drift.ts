import type { Context } from '../../context.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { findDrift } from './drift-store.ts';

/** How many runs of previews are read. */
const NEWEST = 20;

/** How many pages of the suite's own site have drifted from their baselines, and a run that shows it. */
export type DriftOfSuite = { runId: string; pages: number };

/** Null if no page has, as far as runs of previews have found since the last run of the site itself. */
export async function readDrift(
  { db }: Pick<Context, 'db'>,
  suite: Pick<SuiteFor, 'id'>,
): Promise<DriftOfSuite | null> {
  return findDrift(db, suite.id, { runs: NEWEST });
}
