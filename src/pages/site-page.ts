import { z } from 'zod';
import type { SelectedRow } from '../db/query.ts';
import type { DiscoveredPage, Discovery } from './crawl/discovery.ts';

export const PAGE_STATUSES = ['NEW', 'ACTIVE', 'REMOVED'] as const;

export const SITE_PAGE_ACTIONS = ['track', 'untrack', 'acknowledge', 'delete'] as const;
export type SitePageAction = (typeof SITE_PAGE_ACTIONS)[number];

export const SITE_PAGE_COLUMNS = [
  'id',
  'test_suite_id',
  'path',
  'title',
  'status',
  'tracked',
  'added_by_hand',
  'first_seen_at',
  'last_seen_at',
  'removed_at',
  'created_at',
  'updated_at',
] as const;

export type SitePage = SelectedRow<'site_pages', typeof SITE_PAGE_COLUMNS> & {
  /** On the suite's own origin. */
  url: string;
};

/** A run captures the tracked pages, except those that are REMOVED. */
export function isRunnable({ tracked, status }: Pick<SitePage, 'tracked' | 'status'>): boolean {
  return tracked && status !== 'REMOVED';
}

/** The same condition, in SQL for the table `site_pages`. */
export const RUNNABLE_PAGE_SQL = "(site_pages.tracked and site_pages.status <> 'REMOVED')";

export type KnownPage = Pick<SitePage, 'id' | 'path' | 'status' | 'addedByHand'> & {
  /** The page whose link pointed to it when it was last found; null when it was found without a link. */
  foundOn: string | null;
};

export type PageChanges = {
  /** Seen for the first time: they become NEW. */
  added: DiscoveredPage[];
  /** Seen again, also after REMOVED: they become ACTIVE. A null title keeps the stored one. */
  seen: DiscoveredPage[];
  /** Ids of pages that become REMOVED. */
  removed: string[];
};

/**
 * What a crawl changes (docs/rules.md, Pages). A page is REMOVED only if it answered 404 or 410, or if the crawl
 * would have found it if it still existed. That is unknown, and the page stays, if it did not answer, if it lies behind
 * a page that did not answer, or if the crawl ended before reaching it. A page added by hand need not be linked, so
 * only its own 404 or 410 removes it.
 */
export function pageChanges(known: KnownPage[], discovery: Discovery): PageChanges {
  if (discovery.failure !== null) return { added: [], seen: [], removed: [] };
  const knownPaths = new Set(known.map((page) => page.path));
  const found = new Set(discovery.pages.map((page) => page.path));
  const missing = new Set(discovery.missing);
  const undecided = new Set([...discovery.unavailable, ...discovery.beyondDepth]);
  const foundOn = new Map(known.map((page) => [page.path, page.foundOn]));
  const isBehindUndecided = (page: KnownPage): boolean => {
    const way = new Set<string>();
    let from = page.foundOn;
    while (from !== null && !way.has(from)) {
      if (undecided.has(from)) return true;
      if (found.has(from) || missing.has(from)) return false;
      way.add(from);
      from = foundOn.get(from) ?? null;
    }
    return false;
  };
  const isGone = (page: KnownPage): boolean => {
    const { path, status, addedByHand } = page;
    if (found.has(path) || status === 'REMOVED') return false;
    if (missing.has(path)) return true;
    return !addedByHand && !discovery.truncated && !undecided.has(path) && !isBehindUndecided(page);
  };
  return {
    added: discovery.pages.filter((page) => !knownPaths.has(page.path)),
    seen: discovery.pages.filter((page) => knownPaths.has(page.path)),
    removed: known.filter(isGone).map((page) => page.id),
  };
}

/** The position of a page in the list of a suite's pages. */
export type PagePlace = [path: string];

/**
 * What the newest finished site run found at a page, over all viewports. The state that needs most attention comes
 * first. Runs keep it in the table `page_states`, which has no row for `never`. The rule is `PAGE_STATE_SQL`.
 */
export const PAGE_STATES = [
  'changed',
  'error',
  'new',
  'approved',
  'uncounted',
  'cancelled',
  'unchanged',
  'never',
] as const;
export type PageState = (typeof PAGE_STATES)[number];

/** What a person searches for among the pages of a suite. Null matches everything. */
export type PageFilter = {
  /** Part of the path or the title, ignoring case. */
  text: string | null;
  status: SitePage['status'] | null;
  tracked: boolean | null;
  state?: PageState | null;
  /** Begins and ends with a slash. Includes the folders below. */
  folder?: string | null;
};

/** A part of the list, which is sorted by path. */
export type PageSlice = { descending: boolean; limit: number; offset: number };

/** Pages with the same status, tracked or not. */
type Kind = Pick<SitePage, 'status' | 'tracked'> & { pages: number };

export const sumPages = (kinds: readonly { pages: number }[]) => kinds.reduce((sum, { pages }) => sum + pages, 0);

export function tallyKinds(kinds: readonly Kind[]) {
  const ofStatus = (status: SitePage['status']) => sumPages(kinds.filter((kind) => kind.status === status));
  return {
    total: sumPages(kinds),
    tracked: sumPages(kinds.filter(({ tracked }) => tracked)),
    /** Tracked and not REMOVED: the pages that a run captures. */
    runnable: sumPages(kinds.filter(isRunnable)),
    new: ofStatus('NEW'),
    removed: ofStatus('REMOVED'),
  };
}
export type PageTally = ReturnType<typeof tallyKinds>;

/** How many of the matching pages are in a folder, and how many of these are in certain states. */
export type FolderTally = { folder: string; pages: number; changed: number; errors: number };

/** The counts of a suite's pages, and of those that match a filter. */
export type PageOverview = {
  tally: PageTally;
  /** How many pages there are in each state. */
  states: Record<PageState, number>;
  matched: number;
  /** Sorted by name: the folder of the filter, or the root, and those directly below it. */
  folders: FolderTally[];
};

/** A page that a search over all suites found. */
export const FoundPage = z.object({
  id: z.string(),
  testSuiteId: z.string(),
  suiteName: z.string(),
  path: z.string(),
  title: z.string().nullable(),
});
export type FoundPage = z.output<typeof FoundPage>;
