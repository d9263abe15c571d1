import type { SitePage } from '../pages/site-page.ts';
import type { PageLatestResult, StabilityShare } from '../runs/page-results/result-of-page.ts';
import type { PageResult, ResultStatus, ReviewSection } from '../runs/results/result.ts';
import type { ReviewState, Run, RunStatus } from '../runs/run.ts';
import type { SettingsDifference } from '../suites/config-file/settings-difference.ts';
import type { CrawlState } from '../suites/suite.ts';
import { formatCount, formatNumber } from '../text/format.ts';
import type { IconName } from './icons.ts';

/** What the partial `badge` prints: a word, an icon and a color. The color is never the only sign. */
export type Badge = {
  label: string;
  tone: 'success' | 'danger' | 'attention' | 'accent' | 'muted';
  icon: IconName;
};

const badge = (label: string, tone: Badge['tone'], icon: IconName): Badge => ({ label, tone, icon });

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

/** Nothing is left to review, but not everything was compared. */
const ERRORS = badge('Errors', 'danger', 'alert');

/** A pull request that needs no run. */
const NOTHING_CAPTURED = badge('Nothing captured', 'muted', 'skip');

const FOR_INFORMATION = badge('For information', 'muted', 'info');

/** The important state of a run: the state of its review once it has completed, its progress until then. */
export function runBadge(run: Pick<Run, 'status' | 'reviewState' | 'isGated' | 'changeRequests' | 'metadata'>): Badge {
  const { status, reviewState, isGated, changeRequests, metadata } = run;
  if (status !== 'COMPLETED') return RUN_BADGES[status];
  if (changeRequests > 0) return REQUESTED_BADGE;
  if (metadata?.reason !== undefined) return NOTHING_CAPTURED;
  if (reviewState === 'PENDING') return isGated ? REVIEW_BADGES.PENDING : FOR_INFORMATION;
  return (metadata?.errorTests ?? 0) > 0 ? ERRORS : REVIEW_BADGES[reviewState];
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

export const EFFECT_BADGES: Record<SettingsDifference['effect'], Badge> = {
  LOOSENS: badge('Loosens', 'attention', 'alert'),
  TIGHTENS: badge('Tightens', 'success', 'check'),
  NEUTRAL: badge('Neutral', 'muted', 'circle-slash'),
};

export const PENDING_BADGE = REVIEW_BADGES.PENDING;

/** For a change that the suite's own site shows as well. */
export const DRIFT_BADGE = badge('Drift', 'muted', 'circle-slash');

export const APPROVED_BADGE = REVIEW_BADGES.APPROVED;

const RESULT_BADGES: Record<ResultStatus, Badge> = {
  PENDING: SECTION_BADGES.pending,
  PASS: SECTION_BADGES.passed,
  FAIL: SECTION_BADGES.changed,
  ERROR: SECTION_BADGES.error,
  CANCELLED: SECTION_BADGES.cancelled,
};

/** For a result on which somebody requests changes, even if it is approved. */
export const REQUESTED_BADGE = badge('Changes requested', 'danger', 'alert');

/** What was decided about a result. Null if nothing was. */
export function decisionBadge({ approved, changesRequested }: { approved: boolean; changesRequested: boolean }) {
  if (changesRequested) return REQUESTED_BADGE;
  return approved ? APPROVED_BADGE : null;
}

const FIRST_SCREENSHOT_BADGE = badge('First screenshot', 'accent', 'plus-circle');

/** The badge of a page in its latest run at a viewport. In a page's first run, there was nothing to compare it with. */
function viewportBadge({ isFirst, viewports, approved, uncounted }: PageLatestResult, viewport: string): Badge {
  if (isFirst) return FIRST_SCREENSHOT_BADGE;
  if (approved.includes(viewport)) return APPROVED_BADGE;
  return uncounted.includes(viewport) ? SECTION_BADGES.uncounted : RESULT_BADGES[viewports[viewport] ?? 'PENDING'];
}

/** The badges of all viewports, by name, and that of the page: states that need action take precedence. */
export function latestBadges(latest: PageLatestResult): { page: Badge; viewports: { name: string; badge: Badge }[] } {
  const names = Object.keys(latest.viewports).toSorted((a, b) => a.localeCompare(b));
  const viewports = names.map((name) => ({ name, badge: viewportBadge(latest, name) }));
  const worst = RESULT_BADGES[latest.status];
  const settled = [worst, APPROVED_BADGE, SECTION_BADGES.uncounted];
  const page = settled.find((each) => viewports.some(({ badge: shown }) => shown === each));
  return { page: latest.isFirst ? FIRST_SCREENSHOT_BADGE : (page ?? worst), viewports };
}

export const PAGE_BADGES: Record<SitePage['status'], Badge> = {
  NEW: badge('New', 'accent', 'plus-circle'),
  ACTIVE: badge('Active', 'success', 'check'),
  REMOVED: badge('Removed', 'danger', 'circle-slash'),
};

export const NOT_TRACKED_BADGE = badge('Not tracked', 'muted', 'eye-closed');

export const CRAWL_BADGES: Record<CrawlState['status'], Badge> = {
  IDLE: badge('Never crawled', 'muted', 'circle'),
  QUEUED: badge('Crawl queued', 'muted', 'clock'),
  CRAWLING: badge('Crawling', 'accent', 'sync'),
  COMPLETED: badge('Crawled', 'success', 'check-circle'),
  FAILED: badge('Crawl failed', 'danger', 'x-circle'),
};

export function pageLatest(latest: PageLatestResult | null) {
  if (latest === null) return null;
  const { page, viewports } = latestBadges(latest);
  return {
    href: `/runs/${latest.testRunId}`,
    badge: page,
    diffScore: latest.status === 'FAIL' ? latest.diffScore : null,
    viewports,
    differing: viewports.every(({ badge }) => badge === page) ? [] : viewports,
  };
}

/** How stable the page was, for people. Null if there is nothing to report. */
export function describeStability({ stability, screenshots }: Pick<PageResult, 'stability' | 'screenshots'>) {
  switch (stability) {
    case 'UNSTABLE':
      return 'unstable';
    case 'SETTLED':
      return screenshots === null ? 'stable late' : `stable after ${formatCount(screenshots, 'screenshot')}`;
    case 'AT_ONCE':
    case null:
      return null;
  }
}

/** Such as `unstable in 3 of 20 at mobile`. */
export const describeShare = ({ viewport, unstable, results }: StabilityShare): string =>
  `unstable in ${formatNumber(unstable)} of ${formatNumber(results)} at ${viewport}`;

/** Notes about a screenshot in a list, in a few words each. */
export function noteScreenshot(result: Pick<PageResult, 'stability' | 'screenshots' | 'cut'>): string[] {
  return [describeStability(result), result.cut ? 'cut off' : null].flatMap((note) => note ?? []);
}

export const CUT = 'The screenshot does not show the whole page. The rest is not compared.';
