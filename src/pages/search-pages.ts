import type { Context } from '../context.ts';
import type { Suite } from '../suites/suite.ts';
import type { PageFilter, PageSlice, PageTally } from './page-search.ts';
import { applyToMatching, countMatching, countPagesOf, findMatching } from './page-search-store.ts';
import { latestResultOf } from './read-page.ts';
import { findLatestResults } from './site-page-store.ts';
import type { SitePageAction, SitePageWithResult } from './site-page.ts';

/** How many pages the suite has, counted by the database: a suite may have 10,000. */
export async function tallyPages(ctx: Pick<Context, 'db'>, suite: Pick<Suite, 'id'>): Promise<PageTally> {
  return countPagesOf(ctx.db, suite.id);
}

/**
 * A part of the pages that match, with their latest results.
 * @returns `matched` how many match in all
 */
export async function searchPages(
  ctx: Pick<Context, 'db'>,
  suite: Pick<Suite, 'id'>,
  filter: PageFilter,
  slice: PageSlice,
): Promise<{ pages: SitePageWithResult[]; matched: number }> {
  const [found, matched] = await Promise.all([
    findMatching(ctx.db, suite.id, filter, slice),
    countMatching(ctx.db, suite.id, filter),
  ]);
  const ids = found.map((page) => page.id);
  const latest = new Map((await findLatestResults(ctx.db, suite.id, ids)).map((row) => [row.pageId, row]));
  const pages = found.map((page) => ({ ...page, latestResult: latestResultOf(latest.get(page.id)) }));
  return { pages, matched };
}

/** Does one thing to every page that matches (spec 3.3); how many it changed. */
export async function actOnMatchingPages(
  ctx: Pick<Context, 'db'>,
  suite: Pick<Suite, 'id'>,
  { action, filter }: { action: SitePageAction; filter: PageFilter },
): Promise<number> {
  return applyToMatching(ctx.db, suite.id, filter, action);
}
