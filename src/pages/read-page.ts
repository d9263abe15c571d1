import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import type { Suite } from '../suites/suite.ts';
import type { LatestResultRow } from './site-page-store.ts';
import { findLatestResults, findPage } from './site-page-store.ts';
import type { PageLatestResult, SitePageWithResult } from './site-page.ts';
import { worstStatus } from './site-page.ts';

/** All viewports of the page in that run as one result (spec 2.4). */
export function latestResultOf(row: LatestResultRow | undefined): PageLatestResult | null {
  if (row === undefined) return null;
  const { testRunId, diffScore, isFirst, viewports } = row;
  return { testRunId, status: worstStatus(Object.values(viewports)), diffScore, isFirst, viewports };
}

/** @throws AppError not_found, also for a page of another suite. */
export async function readPage(ctx: Pick<Context, 'db'>, suite: Suite, pageId: string): Promise<SitePageWithResult> {
  const page = await findPage(ctx.db, suite.id, pageId);
  if (page === null) throw notFound('The page');
  const [row] = await findLatestResults(ctx.db, suite.id, [pageId]);
  return { ...page, latestResult: latestResultOf(row) };
}
