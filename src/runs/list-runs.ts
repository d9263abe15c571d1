import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { getSuiteFor } from '../suites/read-suite.ts';
import type { Run } from './run.ts';
import { DECIDABLE, IN_FLIGHT } from './run.ts';
import type { RunFilter, RunWithSuite } from './run-list.ts';
import { countReadableSuites, countRuns, countRunsOfSuites, findNewestRuns, findRuns } from './run-store.ts';

const RECENT = 10;
const AWAITING = 20;
/** A cancelled run can't be approved, and a run whose errors are being captured again can't be approved yet. */
export const AWAITING_REVIEW: RunFilter = { reviewState: 'PENDING', statuses: DECIDABLE };
/** How many runs come with a suite in a list or in its detail (contract 6). */
const RUNS_OF_A_SUITE = 20;

/**
 * Runs of every suite that the viewer may read, newest first.
 * @throws AppError not_found when the filter names a suite that they may not.
 */
export async function listRuns(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  filter: RunFilter,
  page: { limit: number; offset: number },
): Promise<{ runs: RunWithSuite[]; total: number }> {
  if (filter.testSuiteId !== undefined) await getSuiteFor(ctx, viewer, filter.testSuiteId, 'suite.read');
  const [runs, total] = await Promise.all([
    findRuns(ctx.db, viewer.id, filter, page),
    countRuns(ctx.db, viewer.id, filter),
  ]);
  return { runs, total };
}

export type SuiteRuns = { runs: Run[]; count: number };

/** The newest runs and the number of all, for each of the suites; two queries however many there are. */
export async function runsOfSuites(ctx: Pick<Context, 'db'>, suiteIds: string[]): Promise<Map<string, SuiteRuns>> {
  const [runs, counts] = await Promise.all([
    findNewestRuns(ctx.db, suiteIds, RUNS_OF_A_SUITE),
    countRunsOfSuites(ctx.db, suiteIds),
  ]);
  const bySuite = new Map(suiteIds.map((id): [string, SuiteRuns] => [id, { runs: [], count: counts.get(id) ?? 0 }]));
  for (const run of runs) bySuite.get(run.testSuiteId)?.runs.push(run);
  return bySuite;
}

export type Dashboard = { totalTestSuites: number; recentTestRuns: RunWithSuite[]; runningTests: number };

export async function readDashboard(ctx: Pick<Context, 'db'>, viewer: Viewer): Promise<Dashboard> {
  const [totalTestSuites, recentTestRuns, runningTests] = await Promise.all([
    countReadableSuites(ctx.db, viewer.id),
    findRuns(ctx.db, viewer.id, {}, { limit: RECENT, offset: 0 }),
    countRuns(ctx.db, viewer.id, { statuses: IN_FLIGHT }),
  ]);
  return { totalTestSuites, recentTestRuns, runningTests };
}

/** What a person sees first: what waits for them, and what happened lately. */
export type StartPage = {
  totalTestSuites: number;
  runningTests: number;
  /** Finished runs whose gate is PENDING, newest first: the first of `awaitingTotal`. */
  awaiting: RunWithSuite[];
  awaitingTotal: number;
  recent: RunWithSuite[];
};

export async function readStartPage(ctx: Pick<Context, 'db'>, viewer: Viewer): Promise<StartPage> {
  const [{ totalTestSuites, recentTestRuns: recent, runningTests }, awaiting, awaitingTotal] = await Promise.all([
    readDashboard(ctx, viewer),
    findRuns(ctx.db, viewer.id, AWAITING_REVIEW, { limit: AWAITING, offset: 0 }),
    countRuns(ctx.db, viewer.id, AWAITING_REVIEW),
  ]);
  return { totalTestSuites, runningTests, awaiting, awaitingTotal, recent };
}
