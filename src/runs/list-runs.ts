import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import type { SuiteFor, SuiteForViewer } from '../suites/suite.ts';
import type { Run } from './run.ts';
import { DECIDABLE, IN_FLIGHT } from './run.ts';
import type { RunFilter, RunPart, RunScope, RunWithSuite } from './run-list.ts';
import {
  countContents,
  countReadableSuites,
  countRuns,
  countRunsOfSuites,
  findNewestRuns,
  findRuns,
} from './run-store.ts';

const RECENT = 10;
const AWAITING = 20;
/**
 * A cancelled run can't be approved, and a run whose errors are being captured again can't be approved yet. One for
 * information waits for nobody.
 */
export const AWAITING_REVIEW: RunFilter = { reviewState: 'PENDING', statuses: DECIDABLE, isGated: true };
/** How many runs a suite includes, in a list and on its own (contract 6). */
export const RUNS_OF_A_SUITE = 20;

/** One part of the matching runs, newest first; `total` counts all matches. */
async function listRunsIn(
  { db }: Pick<Context, 'db'>,
  scope: RunScope,
  filter: RunFilter,
  part: RunPart,
): Promise<{ runs: RunWithSuite[]; total: number }> {
  const [runs, total] = await Promise.all([findRuns(db, scope, filter, part), countRuns(db, scope, filter)]);
  return { runs, total };
}

/** Runs of every suite that the viewer may read. */
export async function listRuns(ctx: Pick<Context, 'db'>, viewer: Viewer, filter: RunFilter, part: RunPart) {
  return listRunsIn(ctx, { readableBy: viewer.id }, filter, part);
}

/** Runs of one suite. */
export async function listRunsOfSuite(ctx: Pick<Context, 'db'>, suite: SuiteFor, filter: RunFilter, part: RunPart) {
  return listRunsIn(ctx, { testSuiteId: suite.id }, filter, part);
}

export type SuiteRuns = { runs: Run[]; count: number };

/** The newest runs and the number of runs of each suite, in two queries for any number of suites. */
export async function listNewestRuns(
  ctx: Pick<Context, 'db'>,
  suites: readonly SuiteForViewer[],
  runsOfEach: number,
): Promise<Map<string, SuiteRuns>> {
  const suiteIds = suites.map((suite) => suite.id);
  const [runs, counts] = await Promise.all([
    findNewestRuns(ctx.db, suiteIds, runsOfEach),
    countRunsOfSuites(ctx.db, suiteIds),
  ]);
  const bySuite = new Map(suiteIds.map((id): [string, SuiteRuns] => [id, { runs: [], count: counts.get(id) ?? 0 }]));
  for (const run of runs) bySuite.get(run.testSuiteId)?.runs.push(run);
  return bySuite;
}

/** What a suite contains, for the tabs above its pages. */
export async function countPagesAndRuns(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor,
): Promise<{ pages: number; runs: number }> {
  return countContents(db, suite.id);
}

export type Dashboard = { totalTestSuites: number; recentTestRuns: RunWithSuite[]; runningTests: number };

export async function readDashboard(ctx: Pick<Context, 'db'>, viewer: Viewer): Promise<Dashboard> {
  const scope = { readableBy: viewer.id };
  const [totalTestSuites, recentTestRuns, runningTests] = await Promise.all([
    countReadableSuites(ctx.db, viewer.id),
    findRuns(ctx.db, scope, {}, { limit: RECENT, offset: 0 }),
    countRuns(ctx.db, scope, { statuses: IN_FLIGHT }),
  ]);
  return { totalTestSuites, recentTestRuns, runningTests };
}

/** The page that a person sees first: runs that wait for review, and recent runs. */
export type StartPage = {
  totalTestSuites: number;
  runningTests: number;
  /** Finished runs whose review gate is PENDING, newest first. Not all of them: `awaitingTotal` is the full number. */
  awaiting: RunWithSuite[];
  awaitingTotal: number;
  recent: RunWithSuite[];
};

export async function readStartPage(ctx: Pick<Context, 'db'>, viewer: Viewer): Promise<StartPage> {
  const scope = { readableBy: viewer.id };
  const [{ totalTestSuites, recentTestRuns: recent, runningTests }, awaiting, awaitingTotal] = await Promise.all([
    readDashboard(ctx, viewer),
    findRuns(ctx.db, scope, AWAITING_REVIEW, { limit: AWAITING, offset: 0 }),
    countRuns(ctx.db, scope, AWAITING_REVIEW),
  ]);
  return { totalTestSuites, runningTests, awaiting, awaitingTotal, recent };
}
