import type { SitePage } from '../pages/site-page.ts';

/** The least bad first: over the viewports of a page, the worst status wins (spec 2.4). */
const STATUSES_BY_SEVERITY = ['PASS', 'CANCELLED', 'PENDING', 'FAIL', 'ERROR'] as const;
export type ViewportStatus = (typeof STATUSES_BY_SEVERITY)[number];

/** Of the most recent finished MANUAL run that took the page. */
export type PageLatestResult = {
  testRunId: string;
  status: ViewportStatus;
  /** Percentage of differing pixels, the highest of the viewports that were compared. */
  diffScore: number | null;
  /** Whether there was no baseline to compare with, at any viewport. */
  isFirst: boolean;
  viewports: Record<string, ViewportStatus>;
};

export type SitePageWithResult = SitePage & { latestResult: PageLatestResult | null };

export type LatestResultRow = {
  pageId: string;
  testRunId: string;
  diffScore: number | null;
  isFirst: boolean;
  viewports: Record<string, ViewportStatus>;
};

/** PASS for no status at all. */
export function worstStatus(statuses: ViewportStatus[]): ViewportStatus {
  const severities = statuses.map((status) => STATUSES_BY_SEVERITY.indexOf(status));
  return STATUSES_BY_SEVERITY[Math.max(0, ...severities)] ?? 'PASS';
}

/** All viewports of the page in that run as one result (spec 2.4). */
export function latestResultOf(row: LatestResultRow | undefined): PageLatestResult | null {
  if (row === undefined) return null;
  const { testRunId, diffScore, isFirst, viewports } = row;
  return { testRunId, status: worstStatus(Object.values(viewports)), diffScore, isFirst, viewports };
}
