import type { UserSummary } from '../../auth/user.ts';
import type { SelectedRow } from '../../db/query.ts';
import type { Cause, PageResult, ReviewSection } from '../../runs/results/result.ts';

/** Which results of a run are shown. A missing or `undefined` field does not filter. */
export type ReviewFilter = {
  section?: ReviewSection | undefined;
  /** Only results that differ for this reason. */
  cause?: Cause | undefined;
  viewport?: string | undefined;
  /** Part of the path; upper and lower case are equal. */
  search?: string | undefined;
  /** Only results that can still be approved. */
  unapproved?: boolean | undefined;
  /** Without results whose screenshot is the one that the viewer approved last in earlier runs of the pull request. */
  sinceMine?: boolean | undefined;
  /** Only results that need attention and have no known change that could be decided. */
  rest?: boolean | undefined;
};

export const REVIEW_ROW_COLUMNS = [
  'id',
  'path',
  'viewport',
  'status',
  'cause',
  'cause_version',
  'faint',
  'stability',
  'screenshots',
  'cut',
  'is_new',
  'diff_score',
  'approved',
  'approved_at',
  'changes_requested',
  'error',
  'current_file',
  'baseline_file',
  'diff_file',
  'heard_key',
] as const;

/** A result as shown in a list. Files are object names; `diffScore` is a percentage. */
export type ReviewRow = SelectedRow<'page_results', typeof REVIEW_ROW_COLUMNS> & {
  section: ReviewSection;
  causePullRequest: number | null;
  approvedBy: UserSummary | null;
  /** The heading of the result's page, which is that of the page's first result. */
  heading: ReviewHeading;
};

/** `cause`: for results that are not counted. */
export type ReviewHeading = { section: ReviewSection; cause: Cause | null };

/** The open result. */
export type ReviewedResult = PageResult & {
  approvedBy: UserSummary | null;
  /** Number of the version that it was compared with. */
  baselineVersion: number | null;
  /** Null when the page was deleted since; the title too, when no crawl has read one. */
  pageId: string | null;
  pageTitle: string | null;
};

export type ReviewGroup = {
  path: string;
  /** Null when no crawl has read a title. Title and `pageId` are null when the page was deleted after the run. */
  title: string | null;
  pageId: string | null;
  heading: ReviewHeading;
  /** In the order of the run's viewports. */
  rows: ReviewRow[];
};

export type Part = { limit: number; offset: number };
