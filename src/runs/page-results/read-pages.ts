import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { cutList, type ListPart } from '../../db/list-part.ts';
import { notFound } from '../../errors.ts';
import { findMatching, readPageTally } from '../../pages/page-search-store.ts';
import { findPage, findPages } from '../../pages/site-page-store.ts';
import type { PageFilter, PagePlace, PageSlice, PageTally, SitePage } from '../../pages/site-page.ts';
import type { CrawlState, Suite, SuiteFor } from '../../suites/suite.ts';
import { findLatestResults } from './page-state-store.ts';
import { toLatestResult, type SitePageWithResult } from './result-of-page.ts';

export type PageList = {
  pages: SitePageWithResult[];
  next: PagePlace | null;
  crawl: CrawlState;
  counts: PageTally;
};

async function withResults(db: Db, suite: Pick<Suite, 'id'>, pages: SitePage[]): Promise<SitePageWithResult[]> {
  const rows = await findLatestResults(
    db,
    suite.id,
    pages.map((page) => page.id),
  );
  const latest = new Map(rows.map((row) => [row.pageId, row]));
  return pages.map((page) => ({ ...page, latestResult: toLatestResult(latest.get(page.id)) }));
}

/** Pages of the suite by path, including REMOVED ones, in three queries for any number of pages. It counts all of them. */
export async function listPages(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor,
  { limit, after }: ListPart<PagePlace>,
): Promise<PageList> {
  const [found, counts] = await Promise.all([
    findPages(db, suite.id, { limit: limit + 1, after }),
    readPageTally(db, suite),
  ]);
  const { items, next } = cutList(found, limit, ({ path }): PagePlace => [path]);
  return { pages: await withResults(db, suite, items), next, crawl: suite.crawl, counts };
}

/** One part of the matching pages, with their latest results. */
export async function searchPages(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor,
  filter: PageFilter,
  slice: PageSlice,
): Promise<SitePageWithResult[]> {
  return withResults(db, suite, await findMatching(db, suite.id, filter, slice));
}

/** @throws AppError not_found, also for a page of another suite. */
export async function readPage(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor,
  pageId: string,
): Promise<SitePageWithResult> {
  const found = await findPage(db, suite.id, pageId);
  if (found === null) throw notFound('Page');
  const [page = { ...found, latestResult: null }] = await withResults(db, suite, [found]);
  return page;
}
