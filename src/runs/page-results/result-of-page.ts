import { z } from 'zod';
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
