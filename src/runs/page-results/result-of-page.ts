import { z } from 'zod';
import type { SelectedRow } from '../../db/query.ts';
import type { SitePage } from '../../pages/site-page.ts';

export const RESULT_OF_PAGE_COLUMNS = [
  'id',
  'test_run_id',
  'path',
  'viewport',
  'status',
  'cause',
  'approved',
  'is_new',
  'current_file',
  'diff_score',
  'stability',
  'screenshots',
] as const;
/** The outcome of a page in one run, at one viewport. */
export type ResultOfPage = SelectedRow<'page_results', typeof RESULT_OF_PAGE_COLUMNS> & { runNumber: number; at: Date };

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
export const LatestResultRow = z.object({
  pageId: z.string(),
  testRunId: z.string(),
  /** Percentage of differing pixels: the highest among the compared viewports. */
  diffScore: z.number().nullable(),
  /** True when no viewport had a baseline to compare with. */
  isFirst: z.boolean(),
  viewports: z.record(z.string(), z.enum(STATUSES_BY_SEVERITY)),
  /** Names of the viewports at which a difference was approved since. */
  approved: z.array(z.string()),
  /** Names of those at which a difference needs no approval. */
  uncounted: z.array(z.string()),
  /** The file of its first viewport's screenshot, or of the baseline that it was proven to look like. */
  screenshot: z.string().nullable(),
});
export type LatestResultRow = z.infer<typeof LatestResultRow>;

export type PageLatestResult = Omit<LatestResultRow, 'pageId'> & { status: ViewportStatus };

export type SitePageWithResult = SitePage & { latestResult: PageLatestResult | null };

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
