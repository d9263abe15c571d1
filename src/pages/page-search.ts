import type { PageCounts, SitePage } from './site-page.ts';

/** What a person searches for among the pages of a suite. Null matches everything. */
export type PageFilter = {
  /** Part of the path or the title, ignoring case. */
  text: string | null;
  status: SitePage['status'] | null;
  tracked: boolean | null;
};

/** A part of the list, which is sorted by path. */
export type PageSlice = { descending: boolean; limit: number; offset: number };

export type PageTally = PageCounts & {
  active: number;
  /** Tracked and not REMOVED: the pages that a run captures. */
  runnable: number;
};
