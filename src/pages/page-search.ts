import type { PageState, PageStateCounts } from './page-state.ts';
import type { PageCounts, SitePage } from './site-page.ts';

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

export type PageTally = PageCounts & {
  active: number;
  /** Tracked and not REMOVED: the pages that a run captures. */
  runnable: number;
};

/** How many of the matching pages are in a folder, and how many of these are in certain states. */
export type FolderTally = { folder: string; pages: number; changed: number; errors: number };

/** The counts of a suite's pages, and of those that match a filter. */
export type PageOverview = {
  tally: PageTally;
  states: PageStateCounts;
  matched: number;
  /** Sorted by name: the folder of the filter, or the root, and those directly below it. */
  folders: FolderTally[];
};

/** A page that a search over all suites found. */
export type FoundPage = { id: string; testSuiteId: string; suiteName: string; path: string; title: string | null };
