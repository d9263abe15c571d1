import { z } from 'zod';
import type { SitePage } from '../../pages/site-page.ts';
import type { PageResult } from '../results/result.ts';

/** The outcome of a page in one run, at one viewport. */
export type ResultOfPage = Pick<
  PageResult,
  | 'id'
  | 'testRunId'
  | 'path'
  | 'viewport'
  | 'status'
  | 'cause'
  | 'approved'
  | 'isNew'
  | 'currentFile'
  | 'diffScore'
  | 'stability'
  | 'screenshots'
> & { runNumber: number; at: Date };

/** One page of a suite, at one viewport or at all. */
export type TimelineFilter = { testSuiteId: string; path: string; viewport?: string | undefined };

/** A part of the versions and results of a page, and how many there are. */
export type PageTimeline = { entries: { kind: 'VERSION' | 'RESULT'; id: string; at: Date }[]; total: number };

/** How many of the newest results of a page and viewport were unstable. */
export const StabilityShare = z.object({
  pageId: z.string(),
  path: z.string(),
  viewport: z.string(),
  unstable: z.number(),
  results: z.number(),
});
export type StabilityShare = z.output<typeof StabilityShare>;

/** From best to worst. A page has the worst status of its viewports (docs/rules.md, Runs). */
const STATUSES_BY_SEVERITY = ['PASS', 'CANCELLED', 'PENDING', 'FAIL', 'ERROR'] as const;
export type ViewportStatus = (typeof STATUSES_BY_SEVERITY)[number];

/** From the most recent finished MANUAL run that captured the page. */
export type PageLatestResult = {
  testRunId: string;
  status: ViewportStatus;
  /** Percentage of differing pixels: the highest among the compared viewports. */
  diffScore: number | null;
  /** True when no viewport had a baseline to compare with. */
  isFirst: boolean;
  viewports: Record<string, ViewportStatus>;
  /** Names of the viewports at which a difference was approved since. */
  approved: string[];
  /** Names of those at which a difference needs no approval. */
  uncounted: string[];
  /** The file of its first viewport's screenshot, or of the baseline that it was proven to look like. */
  screenshot: string | null;
};

export type SitePageWithResult = SitePage & { latestResult: PageLatestResult | null };

export const LatestResultRow = z.object({
  pageId: z.string(),
  testRunId: z.string(),
  diffScore: z.number().nullable(),
  isFirst: z.boolean(),
  viewports: z.record(z.string(), z.enum(STATUSES_BY_SEVERITY)),
  approved: z.array(z.string()),
  uncounted: z.array(z.string()),
  screenshot: z.string().nullable(),
});
export type LatestResultRow = z.infer<typeof LatestResultRow>;

/** PASS when the list is empty. */
export function worstStatus(statuses: ViewportStatus[]): ViewportStatus {
  const severities = statuses.map((status) => STATUSES_BY_SEVERITY.indexOf(status));
  return STATUSES_BY_SEVERITY[Math.max(0, ...severities)] ?? 'PASS';
}

/** Sums up all viewports of the page in that run as one result. */
export function toLatestResult(row: LatestResultRow | undefined): PageLatestResult | null {
  if (row === undefined) return null;
  const { pageId: _pageId, ...latest } = row;
  return { ...latest, status: worstStatus(Object.values(latest.viewports)) };
}
