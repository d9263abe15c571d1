import type { z } from 'zod';
import type { Viewer } from '../auth/viewer.ts';
import { listBaselines } from '../baselines/read-baselines.ts';
import type { Context } from '../context.ts';
import { RUNS_OF_A_SUITE, listNewestRuns } from '../runs/list-runs.ts';
import { listSuites } from '../suites/list-suites.ts';
import type { SuiteFilter } from '../suites/list-suites.ts';
import type { SuiteFor } from '../suites/suite.ts';
import { presentBaseline } from './present-baseline.ts';
import { presentRun } from './present-run.ts';
import { presentSuite } from './present-suite.ts';
import type { TestSuiteDetail, TestSuiteWithCountAndRuns } from './schemas/suite-detail-schemas.ts';

/** The suite with its latest runs and its current baselines (spec 2.3). */
export async function presentSuiteDetail(ctx: Context, suite: SuiteFor): Promise<z.output<typeof TestSuiteDetail>> {
  const [runs, baselines] = await Promise.all([
    listNewestRuns(ctx, [suite], RUNS_OF_A_SUITE),
    listBaselines(ctx, suite),
  ]);
  return {
    ...presentSuite(suite),
    testRuns: (runs.get(suite.id)?.runs ?? []).map(presentRun),
    baselines: baselines.map((baseline) => presentBaseline(ctx.config, baseline)),
  };
}

/** A list of suites with the latest runs of each one. The number of queries does not depend on the number of suites. */
export async function presentSuiteList(
  ctx: Context,
  viewer: Viewer,
  filter: SuiteFilter,
): Promise<z.output<typeof TestSuiteWithCountAndRuns>[]> {
  const suites = await listSuites(ctx, viewer, filter);
  const runs = await listNewestRuns(ctx, suites, RUNS_OF_A_SUITE);
  return suites.map((suite) => ({
    ...presentSuite(suite),
    _count: { testRuns: runs.get(suite.id)?.count ?? 0 },
    testRuns: (runs.get(suite.id)?.runs ?? []).map(presentRun),
  }));
}
