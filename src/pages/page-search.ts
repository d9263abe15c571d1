import { z } from 'zod';
import { isRunnable, type SitePage } from './site-page.ts';

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
