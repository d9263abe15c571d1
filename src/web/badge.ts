import type { ResultStatus } from '../runs/results/result.ts';
import type { ReviewSection } from '../review/list/review-section.ts';
import type { ReviewState, Run, RunStatus } from '../runs/run.ts';
import type { SitePage } from '../pages/site-page.ts';
import type { PageLatestResult } from '../runs/results/latest-result.ts';
import type { CrawlState } from '../suites/suite.ts';

/** What the partial `badge` prints: a word, an icon and a color. The color is never the only sign. */
export type Badge = {
  label: string;
  tone: 'success' | 'danger' | 'attention' | 'accent' | 'muted';
  icon: string;
};

const badge = (label: string, tone: Badge['tone'], icon: string): Badge => ({ label, tone, icon });

const RUN_BADGES: Record<RunStatus, Badge> = {
  PENDING: badge('Waiting', 'muted', 'clock'),
  RUNNING: badge('Running', 'accent', 'sync'),
  COMPLETED: badge('Completed', 'success', 'check-circle'),
  FAILED: badge('Failed', 'danger', 'x-circle'),
  CANCELLED: badge('Cancelled', 'muted', 'skip'),
};

const REVIEW_BADGES: Record<ReviewState, Badge> = {
  NOT_REQUIRED: badge('No changes', 'success', 'check-circle'),
  PENDING: badge('Review required', 'attention', 'eye'),
  APPROVED: badge('Approved', 'success', 'check-circle'),
};

const FOR_INFORMATION = badge('For information', 'muted', 'info');

/** The important state of a run: the state of its review once it has completed, its progress until then. */
export function runBadge(run: Pick<Run, 'status' | 'reviewState' | 'isGated'>): Badge {
  if (run.status === 'COMPLETED' && run.reviewState === 'PENDING' && !run.isGated) return FOR_INFORMATION;
  return run.status === 'COMPLETED' ? REVIEW_BADGES[run.reviewState] : RUN_BADGES[run.status];
}

export const SECTION_BADGES: Record<ReviewSection, Badge> = {
  changed: badge('Changed', 'attention', 'diff'),
  new: badge('New', 'accent', 'plus-circle'),
  error: badge('Error', 'danger', 'alert'),
  pending: badge('Waiting', 'muted', 'clock'),
  uncounted: badge('Not counted', 'muted', 'circle-slash'),
  passed: badge('Unchanged', 'success', 'check'),
  cancelled: badge('Cancelled', 'muted', 'skip'),
};

/** Of a change that the suite's own site shows as well. */
export const DRIFT_BADGE = badge('Drift', 'muted', 'circle-slash');

export const APPROVED_BADGE = badge('Approved', 'success', 'check-circle');

const RESULT_BADGES: Record<ResultStatus, Badge> = {
  PENDING: SECTION_BADGES.pending,
  PASS: SECTION_BADGES.passed,
  FAIL: SECTION_BADGES.changed,
  ERROR: SECTION_BADGES.error,
  CANCELLED: SECTION_BADGES.cancelled,
};

const FIRST_SCREENSHOT_BADGE = badge('First screenshot', 'accent', 'plus-circle');

/** The badge of a page in its latest run. In a page's first run, there was nothing to compare it with. */
export function latestBadge({ isFirst }: Pick<PageLatestResult, 'isFirst'>, status: ResultStatus): Badge {
  return isFirst ? FIRST_SCREENSHOT_BADGE : RESULT_BADGES[status];
}

export const PAGE_BADGES: Record<SitePage['status'], Badge> = {
  NEW: badge('New', 'accent', 'plus-circle'),
  ACTIVE: badge('Active', 'success', 'check'),
  REMOVED: badge('Removed', 'danger', 'circle-slash'),
};

export const CRAWL_BADGES: Record<CrawlState['status'], Badge> = {
  IDLE: badge('Never crawled', 'muted', 'circle'),
  QUEUED: badge('Crawl queued', 'muted', 'clock'),
  CRAWLING: badge('Crawling', 'accent', 'sync'),
  COMPLETED: badge('Crawled', 'success', 'check-circle'),
  FAILED: badge('Crawl failed', 'danger', 'x-circle'),
};
