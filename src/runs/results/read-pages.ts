import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { notFound } from '../../errors.ts';
import type { PageFilter, PageSlice } from '../../pages/page-search.ts';
import { countMatching, findMatching } from '../../pages/page-search-store.ts';
import { findPage, findPages } from '../../pages/site-page-store.ts';
import type { PageCounts, SitePage } from '../../pages/site-page.ts';
import { countPages } from '../../pages/site-page.ts';
import type { CrawlState, Suite, SuiteFor } from '../../suites/suite.ts';
import { findLatestResults } from './latest-result-store.ts';
import type { SitePageWithResult } from './latest-result.ts';
import { toLatestResult } from './latest-result.ts';

export type PageList = { pages: SitePageWithResult[]; crawl: CrawlState; counts: PageCounts };

/** @param pageIds null for every page of the suite */
async function withResults(
  db: Db,
  suite: Pick<Suite, 'id'>,
  pages: SitePage[],
  pageIds: string[] | null,
): Promise<SitePageWithResult[]> {
  const rows = await findLatestResults(db, suite.id, pageIds);
  const latest = new Map(rows.map((row) => [row.pageId, row]));
  return pages.map((page) => ({ ...page, latestResult: toLatestResult(latest.get(page.id)) }));
}

/** Every page of the suite by path, including REMOVED ones, in two queries for any number of pages. */
export async function listPages({ db }: Pick<Context, 'db'>, suite: SuiteFor): Promise<PageList> {
  const pages = await findPages(db, suite.id);
  return { pages: await withResults(db, suite, pages, null), crawl: suite.crawl, counts: countPages(pages) };
}

/**
 * One part of the matching pages, with their latest results.
 * @returns `matched`: the number of all matches.
 */
export async function searchPages(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor,
  filter: PageFilter,
  slice: PageSlice,
): Promise<{ pages: SitePageWithResult[]; matched: number }> {
  const [found, matched] = await Promise.all([
    findMatching(db, suite.id, filter, slice),
    countMatching(db, suite.id, filter),
  ]);
  const ids = found.map((page) => page.id);
  return { pages: await withResults(db, suite, found, ids), matched };
}

/** @throws AppError not_found, also for a page of another suite. */
export async function readPage(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor,
  pageId: string,
): Promise<SitePageWithResult> {
  const found = await findPage(db, suite.id, pageId);
  if (found === null) throw notFound('Page');
  const [page = { ...found, latestResult: null }] = await withResults(db, suite, [found], [pageId]);
  return page;
}
