import { z } from 'zod';
import type { Viewer } from '../auth/user.ts';
import { readFirstBaselines } from '../baselines/read-baselines.ts';
import type { Context } from '../context.ts';
import type { ListPart } from '../db/list-part.ts';
import { listNewestRuns, RUNS_OF_A_SUITE } from '../runs/list/list-runs.ts';
import { readNextRun } from '../suites/config/run-schedule.ts';
import { listSuites, type SuiteFilter } from '../suites/read-suite.ts';
import { settingsVersion } from '../suites/settings-version.ts';
import type { SuiteFor } from '../suites/suite.ts';
import { TestRun } from './run-schemas.ts';
import { presentRun, presentSuite } from './runs/present-run.ts';
import { Address, Baseline, IsoDate, named, TestSuite, TimePlace } from './suite-schemas.ts';

export const TestSuiteDetail = named(
  'TestSuiteDetail',
  TestSuite.extend({
    _count: z.object({ testRuns: z.int(), baselines: z.int() }),
    _links: z.object({ testRuns: Address, baselines: Address }).describe('URL of the full list'),
    settingsVersion: z.string().describe('Stands for name, base URL, description and config as they are'),
    nextRunAt: IsoDate.nullable().describe('When it runs by itself: see `config.schedule`'),
    testRuns: z.array(TestRun).describe('The newest 20'),
    baselines: z.array(Baseline).describe('Of the first pages, at most 1,000'),
  }),
);

export const TestSuiteWithCountAndRuns = named(
  'TestSuiteWithCountAndRuns',
  TestSuite.extend({
    _count: z.object({ testRuns: z.int() }),
    testRuns: z.array(TestRun).describe('The newest 20'),
  }),
);

export const SUITES_AT_ONCE = { most: 100, usual: 50, place: TimePlace };

/** The baselines of the first pages. */
const BASELINES_OF_A_SUITE = 1000;

/** The suite with its latest runs and its current baselines, and where all of them are. */
export async function presentSuiteDetail(ctx: Context, suite: SuiteFor): Promise<z.input<typeof TestSuiteDetail>> {
  const [runs, { baselines, total }] = await Promise.all([
    listNewestRuns(ctx, [suite], RUNS_OF_A_SUITE),
    readFirstBaselines(ctx, suite, BASELINES_OF_A_SUITE),
  ]);
  const ofSuite = runs.get(suite.id);
  return {
    ...presentSuite(suite),
    _count: { testRuns: ofSuite?.count ?? 0, baselines: total },
    _links: {
      testRuns: `${ctx.config.publicUrl}/api/test-runs?testSuiteId=${suite.id}`,
      baselines: `${ctx.config.publicUrl}/api/baselines?testSuiteId=${suite.id}`,
    },
    settingsVersion: settingsVersion(suite),
    nextRunAt: readNextRun(suite, ctx.clock.now()),
    testRuns: (ofSuite?.runs ?? []).map(presentRun),
    baselines,
  };
}

/**
 * A part of the list of suites with the latest runs of each one. The number of queries does not depend on the number of
 * suites.
 */
export async function presentSuiteList(
  ctx: Context,
  viewer: Viewer,
  filter: SuiteFilter,
  part: ListPart<z.output<typeof TimePlace>>,
) {
  const { items: suites, next } = await listSuites(ctx, viewer, filter, part);
  const runs = await listNewestRuns(ctx, suites, RUNS_OF_A_SUITE);
  const items = suites.map((suite) => ({
    ...presentSuite(suite),
    _count: { testRuns: runs.get(suite.id)?.count ?? 0 },
    testRuns: (runs.get(suite.id)?.runs ?? []).map(presentRun),
  }));
  return { items, next };
}
