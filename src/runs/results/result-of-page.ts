import type { PageResult } from './result.ts';

/** What became of a page in one run, at one viewport. */
export type ResultOfPage = Pick<
  PageResult,
  | 'id'
  | 'testRunId'
  | 'viewport'
  | 'status'
  | 'cause'
  | 'approved'
  | 'isNew'
  | 'diffScore'
  | 'stability'
  | 'screenshots'
> & { runNumber: number; at: Date };
