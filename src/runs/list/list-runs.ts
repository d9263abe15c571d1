import type { Viewer } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { cutList, type TimePart, type TimePlace } from '../../db/list-part.ts';
import { countKinds, findFailedCrawls } from '../../suites/suite-for-viewer-store.ts';
import type { FailedCrawl, SuiteFor, SuiteForViewer } from '../../suites/suite.ts';
import type { People } from '../run-name.ts';
import { DECIDABLE, IN_FLIGHT, type Run, type RunSummary } from '../run.ts';
import { countRuns, countRunsOfSuites, findNewestRuns, findPeople, findRuns, findStarters } from './run-list-store.ts';
import type { Person, RunFilter, RunScope, RunWithSuite } from './run-list.ts';
import { findStartRuns } from './start-page-store.ts';

const RECENT = 10;
const AWAITING = 20;
/** Older failures are not shown. */
export const FAILED_DAYS = 14;
/**
 * A cancelled run can't be approved, and a run whose errors are being captured again can't be approved yet. An
 * informational one waits for nobody.
 */
export const AWAITING_REVIEW: RunFilter = { reviewState: 'PENDING', statuses: DECIDABLE, isGated: true };
/** How many runs a suite includes, in a list and on its own. */
export const RUNS_OF_A_SUITE = 20;

export type RunList = { runs: RunWithSuite[]; total: number; next: TimePlace | null };

/** One part of the matching runs, newest first; `total` counts all matches. */
export async function listRuns(
  { db }: Pick<Context, 'db'>,
  scope: RunScope,
  filter: RunFilter,
  part: TimePart,
): Promise<RunList> {
  const [found, [total = 0]] = await Promise.all([
    findRuns(db, scope, filter, { ...part, limit: part.limit + 1 }),
    countRuns(db, [[scope, filter]]),
  ]);
  const { items: runs, next } = cutList(found, part.limit, ({ place }) => place);
  return { runs, total, next };
}

/** The newest runs of one suite that wait for a review. */
export async function listAwaitingReview(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor,
  limit: number,
): Promise<RunWithSuite[]> {
  return findRuns(db, { suite }, AWAITING_REVIEW, { limit });
}

export type SuiteRuns = { runs: RunSummary[]; count: number };

/**
 * The newest runs and the number of runs of each suite, in two queries for any number of suites. Without cancelled
 * ones, so that the last verdict is visible.
 */
export async function listNewestRuns(
  ctx: Pick<Context, 'db'>,
  suites: readonly SuiteForViewer[],
  runsOfEach: number,
  { cancelled }: { cancelled: boolean } = { cancelled: true },
): Promise<Map<string, SuiteRuns>> {
  const suiteIds = suites.map((suite) => suite.id);
  const [runs, counts] = await Promise.all([
    findNewestRuns(ctx.db, suiteIds, { perSuite: runsOfEach, cancelled }),
    countRunsOfSuites(ctx.db, suiteIds),
  ]);
  const bySuite = new Map(suiteIds.map((id): [string, SuiteRuns] => [id, { runs: [], count: counts.get(id) ?? 0 }]));
  for (const run of runs) bySuite.get(run.testSuiteId)?.runs.push(run);
  return bySuite;
}

export type Dashboard = { totalTestSuites: number; recentTestRuns: RunWithSuite[]; runningTests: number };

export async function readDashboard(ctx: Pick<Context, 'db'>, viewer: Viewer): Promise<Dashboard> {
  const scope = { readableBy: viewer };
  const [suites, recentTestRuns, [runningTests = 0]] = await Promise.all([
    countKinds(ctx.db, viewer.id),
    findRuns(ctx.db, scope, {}, { limit: RECENT }),
    countRuns(ctx.db, [[scope, { statuses: IN_FLIGHT }]]),
  ]);
  return { totalTestSuites: suites.SUITE, recentTestRuns, runningTests };
}

/** The start page of a person: runs that wait for their review, followed suites, and failures. */
export type StartPage = {
  /** Without single pages. */
  totalTestSuites: number;
  totalSinglePages: number;
  runningTests: number;
  /** The runs that await a review and are assigned to the person, newest first. */
  assigned: RunWithSuite[];
  /** Finished runs whose review gate is PENDING, newest first. Not all of them: `awaitingTotal` is the full number. */
  awaiting: RunWithSuite[];
  awaitingTotal: number;
  /** The newest run of each suite that the viewer follows, newest first. */
  followed: RunWithSuite[];
  /** Runs that failed recently, if no later run of the site or of the same branch completed. */
  failed: RunWithSuite[];
  /** Suites whose last crawl failed recently, newest first. */
  failedCrawls: FailedCrawl[];
};

const LISTS = { awaiting: AWAITING, followed: RECENT, failed: 5, daysOfFailed: FAILED_DAYS };

export async function readStartPage(ctx: Pick<Context, 'db'>, viewer: Viewer): Promise<StartPage> {
  const [suites, lists, failedCrawls, [runningTests = 0, awaitingTotal = 0]] = await Promise.all([
    countKinds(ctx.db, viewer.id),
    findStartRuns(ctx.db, viewer, AWAITING_REVIEW, LISTS),
    findFailedCrawls(ctx.db, viewer.id, { limit: LISTS.failed, days: FAILED_DAYS }),
    countRuns(ctx.db, [
      [{ readableBy: viewer }, { statuses: IN_FLIGHT }],
      [{ reviewableBy: viewer }, AWAITING_REVIEW],
    ]),
  ]);
  const { SUITE: totalTestSuites, MANUAL: totalSinglePages } = suites;
  return { totalTestSuites, totalSinglePages, runningTests, awaitingTotal, failedCrawls, ...lists };
}

/** The names of the people who started or cancelled the runs, in one query. */
export async function readPeople(
  { db }: Pick<Context, 'db'>,
  runs: readonly Pick<Run, 'startedById' | 'cancelledById'>[],
): Promise<People> {
  const ids = new Set(
    runs.flatMap(({ startedById, cancelledById }) => [startedById ?? [], cancelledById ?? []].flat()),
  );
  if (ids.size === 0) return new Map();
  return new Map((await findPeople(db, [...ids])).map(({ id, name }) => [id, name]));
}

/** A filter offers the people who started one of this many newest runs, of a suite or of all suites together. */
const RUNS_READ = { ofSuite: 1000, ofAll: 200 };

/** People by whom the runs can be filtered, by name. */
export async function listStarters({ db }: Pick<Context, 'db'>, scope: RunScope): Promise<Person[]> {
  return findStarters(db, scope, 'suite' in scope ? RUNS_READ.ofSuite : RUNS_READ.ofAll);
}
