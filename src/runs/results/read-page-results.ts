import type { Context } from '../../context.ts';
import type { SitePage } from '../../pages/site-page.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { findResultsOfPage } from './page-results-store.ts';
import type { ResultOfPage } from './result-of-page.ts';

/** How many runs a page's history looks back. */
const RUNS = 60;

/** What the newest runs found on a page, newest first. */
export async function readResultsOfPage(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor,
  { path }: Pick<SitePage, 'path'>,
): Promise<ResultOfPage[]> {
  return findResultsOfPage(db, { testSuiteId: suite.id, path }, { runs: RUNS });
}
