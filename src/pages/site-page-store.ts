import { computed, countRows, qualified, readRow, type Db } from '../db/database.ts';
import type { ListPart } from '../db/list-part.ts';
import { assertNever } from '../errors.ts';
import type { Suite } from '../suites/suite.ts';
import { CrawlTracking } from './crawl/crawl.ts';
import type { DiscoveredPage } from './crawl/discovery.ts';
import {
  RUNNABLE_PAGE_SQL,
  SITE_PAGE_COLUMNS,
  type KnownPage,
  type PageChanges,
  type PagePlace,
  type SitePage,
  type SitePageAction,
} from './site-page.ts';

/** The columns of a `SitePage`. */
export const pageColumns = (db: Db) =>
  [
    ...qualified('site_pages', SITE_PAGE_COLUMNS),
    computed(db, 'url', 'text', '(select origin from test_suites where id = test_suite_id) || path'),
  ] as const;

/** A query for all pages of a suite, to which conditions can be added. */
export const selectPages = (db: Db, testSuiteId: string) => db('site_pages').where({ test_suite_id: testSuiteId });
type PageQuery = ReturnType<typeof selectPages>;

/** By path. */
export async function findPages(
  db: Db,
  testSuiteId: string,
  { limit, after }: ListPart<PagePlace>,
): Promise<SitePage[]> {
  const query = selectPages(db, testSuiteId).orderBy('path').limit(limit);
  if (after !== null) void query.where('path', '>', after[0]);
  return query.select(pageColumns(db));
}

export async function findPage(db: Db, testSuiteId: string, pageId: string): Promise<SitePage | null> {
  return selectPages(db, testSuiteId).where({ id: pageId }).first(pageColumns(db));
}

export async function findKnownPages(db: Db, testSuiteId: string): Promise<KnownPage[]> {
  return selectPages(db, testSuiteId).orderBy('path').select('id', 'path', 'status', 'added_by_hand', 'found_on');
}

/** More pages than a suite can have. */
const MAX_PAGES = 100_000;

/** Paths that a run of the suite captures, those near the root first. */
export async function findRunnablePaths(db: Db, testSuiteId: string, limit = MAX_PAGES): Promise<string[]> {
  return selectPages(db, testSuiteId)
    .whereRaw(RUNNABLE_PAGE_SQL)
    .orderByRaw('length(path), path')
    .limit(limit)
    .pluck('path');
}

export async function countRunnablePages(db: Db, testSuiteId: string): Promise<number> {
  return countRows(selectPages(db, testSuiteId).whereRaw(RUNNABLE_PAGE_SQL));
}

/** Tracked pages that a run leaves out. */
export async function findTrackedRemovedPaths(db: Db, testSuiteId: string): Promise<string[]> {
  return selectPages(db, testSuiteId)
    .where({ tracked: true })
    .whereRaw(`not ${RUNNABLE_PAGE_SQL}`)
    .orderBy('path')
    .pluck('path');
}

/**
 * Adds a page that a person named. A page that exists already becomes tracked and, if it was REMOVED, ACTIVE. From now
 * on every crawl requests it.
 */
export async function keepTrackedPage(db: Db, suite: PagesOf, path: string): Promise<SitePage> {
  const [page] = await db('site_pages')
    .insert({
      test_suite_id: suite.id,
      owner_id: suite.userId,
      path,
      status: 'ACTIVE',
      tracked: true,
      added_by_hand: true,
    })
    .onConflict(['test_suite_id', 'path'])
    .merge({
      tracked: true,
      untracked_by_hand: false,
      added_by_hand: true,
      removed_at: null,
      updated_at: db.fn.now(),
      status: db.raw("case site_pages.status when 'REMOVED' then 'ACTIVE' else site_pages.status end"),
    })
    .returning(pageColumns(db));
  if (page === undefined) throw new Error('The upsert of a site page returned no row');
  return page;
}

/** The suite of pages, and whose it is. */
type PagesOf = Pick<Suite, 'id' | 'userId'>;

/** A page that the crawl found becomes ACTIVE, even if it was added by hand during the crawl. */
async function saveFound(db: Db, suite: PagesOf, pages: DiscoveredPage[], status: 'NEW' | 'ACTIVE', now: Date) {
  if (pages.length === 0) return;
  await db.raw(
    `insert into site_pages (test_suite_id, owner_id, path, title, found_on, status, first_seen_at, last_seen_at)
     select :suiteId, :userId, path, title, "foundOn", :status, :now, :now
     from jsonb_to_recordset(cast(:pages as jsonb)) as found (path text, title text, "foundOn" text)
     on conflict on constraint site_pages_suite_path_key do update set
       status = 'ACTIVE', removed_at = null, last_seen_at = excluded.last_seen_at, updated_at = now(),
       title = coalesce(excluded.title, site_pages.title), found_on = excluded.found_on`,
    { suiteId: suite.id, userId: suite.userId, status, now, pages: JSON.stringify(pages) },
  );
}

/** A page that was deleted during the crawl is inserted again as NEW. Returns the paths of pages that are REMOVED now. */
export async function saveChanges(db: Db, suite: PagesOf, changes: PageChanges, now: Date): Promise<string[]> {
  await saveFound(db, suite, changes.added, 'NEW', now);
  await saveFound(db, suite, changes.seen, 'ACTIVE', now);
  const removed = await db('site_pages')
    .where({ test_suite_id: suite.id })
    .whereNot({ status: 'REMOVED' })
    .whereRaw('id = any(?)', [changes.removed])
    .update({ status: 'REMOVED', removed_at: now, updated_at: db.fn.now() })
    .returning('path');
  return removed.map(({ path }) => path).sort();
}

/**
 * Tracks these pages in their order until `limit` pages of the suite are tracked. Pages that a person untracked are
 * skipped. Returns how many it tracked, and how many more it would have tracked.
 */
export async function trackFound(
  db: Db,
  testSuiteId: string,
  { paths, limit }: { paths: string[]; limit: number },
): Promise<CrawlTracking> {
  return readRow(
    db,
    CrawlTracking,
    `with room as materialized (
       select greatest(:limit - count(*), 0) as pages from site_pages
       where test_suite_id = :testSuiteId and ${RUNNABLE_PAGE_SQL}
     ), wanted as materialized (
       select site_pages.id, row_number() over (order by found.place) as place
       from jsonb_array_elements_text(cast(:paths as jsonb)) with ordinality as found(path, place)
       join site_pages on site_pages.test_suite_id = :testSuiteId and site_pages.path = found.path
       where not site_pages.tracked and not site_pages.untracked_by_hand
     ), tracked as (
       update site_pages set tracked = true, updated_at = now()
       from wanted, room
       where site_pages.id = wanted.id and wanted.place <= room.pages and not site_pages.untracked_by_hand
       returning 1
     )
     select (select count(*) from tracked) as tracked,
       (select count(*) from wanted, room where wanted.place > room.pages) as beyond_limit`,
    { testSuiteId, limit, paths: JSON.stringify(paths) },
  );
}

/** Applies the action to the selected pages. Returns how many it changed; pages that need no change do not count. */
export async function changePages(db: Db, pages: PageQuery, action: SitePageAction): Promise<number> {
  const updated_at = db.fn.now();
  switch (action) {
    case 'track':
      return pages.where({ tracked: false }).update({ tracked: true, untracked_by_hand: false, updated_at });
    case 'untrack':
      return pages.where({ tracked: true }).update({ tracked: false, untracked_by_hand: true, updated_at });
    case 'acknowledge':
      return pages.where({ status: 'NEW' }).update({ status: 'ACTIVE', updated_at });
    case 'delete':
      return pages.delete();
    default:
      return assertNever(action);
  }
}

/** NEW pages that somebody has seen: their screenshots were approved, or captured twice. */
export async function keepAcknowledged(db: Db, testSuiteId: string, paths: string[]): Promise<void> {
  if (paths.length === 0) return;
  await selectPages(db, testSuiteId)
    .where({ status: 'NEW' })
    .whereRaw('path = any(?)', [paths])
    .update({ status: 'ACTIVE', updated_at: db.fn.now() });
}

export async function findNewPaths(db: Db, testSuiteId: string, limit: number): Promise<string[]> {
  return selectPages(db, testSuiteId).where({ status: 'NEW', tracked: true }).limit(limit).pluck('path');
}
