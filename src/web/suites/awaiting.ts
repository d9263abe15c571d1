import type { Context } from '../../context.ts';
import { listAwaitingReview } from '../../runs/list-runs.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { listPermissions } from '../permissions.ts';
import type { ListedRun } from '../run-row.ts';
import { listRunRows } from '../run-row.ts';

const SHOWN = 3;

/** `more`: the URL of all of them, if they are not all shown. */
export type AwaitingRuns = { runs: ListedRun[]; more: string | null };

/** The suite's runs that wait for a review by this viewer. Null: there is none, or their role may not approve. */
export async function readAwaiting(ctx: Pick<Context, 'db' | 'clock'>, suite: SuiteFor): Promise<AwaitingRuns | null> {
  if (!listPermissions(suite.access).approve) return null;
  const found = await listAwaitingReview(ctx, suite, SHOWN + 1);
  if (found.length === 0) return null;
  const shown = found.slice(0, SHOWN);
  const row = await listRunRows(ctx, shown);
  return {
    runs: shown.map(({ testSuite: _suite, ...run }) => row(run, 'plain')),
    more: found.length > SHOWN ? `/suites/${suite.id}/runs?show=review` : null,
  };
}
