import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { SitePage } from '../../pages/site-page.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { findResultOfSuite, findResultsOfPage, findTimeline } from './page-results-store.ts';
import type { PageTimeline, ResultOfPage } from './result-of-page.ts';

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
