import type { PageCounts, SitePage } from './site-page.ts';

/** What a person looks for among the pages of a suite; null: whatever it is. */
export type PageFilter = {
  /** Part of the path or of the title, in any case. */
  text: string | null;
  status: SitePage['status'] | null;
  tracked: boolean | null;
};

/** A part of the list, which is by path. */
export type PageSlice = { descending: boolean; limit: number; offset: number };

export type PageTally = PageCounts & {
  active: number;
  /** Tracked and not REMOVED: what a run takes. */
  runnable: number;
};
