import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { SitePage } from '../../pages/site-page.ts';
import type { Suite, SuiteFor } from '../../suites/suite.ts';
import { findResultOfSuite, findResultsOfPage, findTimeline, findUnstable } from './page-results-store.ts';
import type { PageTimeline, ResultOfPage, StabilityShare } from './result-of-page.ts';

/** How many runs a chart shows. */
const RUNS = 60;

type Page = Pick<SitePage, 'path'>;

/** A part of a page's timeline, newest first: its versions, and its results in finished runs. */
export async function readTimeline(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor,
  { path }: Page,
  { viewport, ...part }: { viewport: string | undefined; limit: number; offset: number },
): Promise<PageTimeline> {
  return findTimeline(db, { testSuiteId: suite.id, path, viewport }, part);
}

/**
 * What runs found on a page, newest first. @param until the newest run to include; null: the newest of all @param ids
 * results whose runs are included as well
 */
export async function readResultsOfPage(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor,
  { path }: Page,
  { viewport, until = null, ids = [] }: { viewport?: string | undefined; until?: Date | null; ids?: string[] } = {},
): Promise<ResultOfPage[]> {
  return findResultsOfPage(db, { testSuiteId: suite.id, path, viewport }, { runs: RUNS, until, ids });
}

/** @throws AppError not_found, also for a result of another suite. */
export async function readResultOfSuite(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor,
  id: string,
): Promise<ResultOfPage> {
  const found = await findResultOfSuite(db, suite.id, id);
  if (found === null) throw notFound('Result');
  return found;
}

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
