import type { Region } from '../../compare/region.ts';

export const RESULT_STATUSES = ['PENDING', 'PASS', 'FAIL', 'ERROR', 'CANCELLED'] as const;
export type ResultStatus = (typeof RESULT_STATUSES)[number];

/** How a result comes out once it was captured, unless its run was cancelled before. */
export const SETTLED_STATUSES = ['PASS', 'FAIL', 'ERROR'] as const;
export type SettledStatus = (typeof SETTLED_STATUSES)[number];
declare module '../../db/json.ts' {
  interface JsonColumns {
    'page_results.diff_regions': Region[];
  }
}

/** One page at one viewport in a run (spec 2.6). Files are object names. */
export type PageResult = {
  id: string;
  testRunId: string;
  url: string;
  path: string;
  viewport: string;
  status: ResultStatus;
  approved: boolean;
  approvedById: string | null;
  approvedAt: Date | null;
  isNew: boolean;
  currentFile: string | null;
  baselineFile: string | null;
  baselineVersionId: string | null;
  diffFile: string | null;
  /** Percentage of differing pixels, 4 decimals; null when nothing was compared. */
  diffScore: number | null;
  /** Where the screenshots differ, in px of the larger one. Null: nothing was compared, or regions were not yet stored. */
  diffRegions: Region[] | null;
  error: string | null;
  captureEngine: string | null;
  compareEngine: string | null;
  createdAt: Date;
  updatedAt: Date;
};

/** The fields of a result that the list of newly settled results shows. */
export type SettledResult = Pick<PageResult, 'id' | 'path' | 'viewport' | 'isNew' | 'diffScore' | 'error'> & {
  status: SettledStatus;
  /** The result's number in the order in which the run's results settled, from 1. */
  settledNumber: number;
};

/** How many results have each status, including `PENDING` and `CANCELLED`. */
export type ResultCounts = Record<ResultStatus, number>;

export function countByStatus(results: { status: ResultStatus }[]): ResultCounts {
  const counts: ResultCounts = { PENDING: 0, PASS: 0, FAIL: 0, ERROR: 0, CANCELLED: 0 };
  for (const { status } of results) counts[status] += 1;
  return counts;
}

/** Contract 7.2: a screenshot passes when its diff percentage is not above the suite's `failureThreshold`. */
export function judgeDiff(diffPercentage: number, failureThreshold: number): 'PASS' | 'FAIL' {
  return diffPercentage > failureThreshold ? 'FAIL' : 'PASS';
}
