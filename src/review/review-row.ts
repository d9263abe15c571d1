import type { UserSummary } from '../auth/user.ts';
import type { PageResult } from '../runs/result.ts';
import type { ReviewSection } from './review-section.ts';

/** Which results of a run are shown; left out or `undefined` means all. */
export type ReviewFilter = {
  section?: ReviewSection | undefined;
  viewport?: string | undefined;
  /** A part of the path, in any case. */
  search?: string | undefined;
  /** Only what an approval could still speak for. */
  unapproved?: boolean | undefined;
  /** Only what is not the picture that the viewer approved last, in an earlier run of the same pull request. */
  sinceMine?: boolean | undefined;
};

/** A result as a list shows it. Files are object names, `diffScore` a percentage. */
export type ReviewRow = Pick<
  PageResult,
  | 'id'
  | 'path'
  | 'viewport'
  | 'status'
  | 'isNew'
  | 'diffScore'
  | 'approved'
  | 'approvedAt'
  | 'error'
  | 'currentFile'
  | 'baselineFile'
  | 'diffFile'
> & { section: ReviewSection; approvedBy: UserSummary | null };

/** Where a result stands in the order of a review. */
export type ReviewPlace = { reviewRank: number; reviewWeight: number; position: number };

/** A result that is looked at. */
export type ReviewedResult = PageResult &
  ReviewPlace & {
    approvedBy: UserSummary | null;
    /** Number of the version that it was compared with. */
    baselineVersion: number | null;
    /** Null when the page was deleted since; the title too, when no crawl has read one. */
    pageId: string | null;
    pageTitle: string | null;
  };

/** The results of one page; `section` is the first that one of them is in. */
export type ReviewGroup = {
  path: string;
  /** Null, like the id: the page was deleted since, or a crawl read no title. */
  title: string | null;
  pageId: string | null;
  section: ReviewSection;
  /** In the order of the run's viewports. */
  rows: ReviewRow[];
};

/** A part of a list. */
export type Part = { limit: number; offset: number };
