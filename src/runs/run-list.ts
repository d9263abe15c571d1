import type { ReviewState, Run, RunStatus, RunType } from './run.ts';

/** Whose runs a list contains: those of all suites that the viewer with this id may read, or those of one suite. */
export type RunScope = { readableBy: string } | { testSuiteId: string };

export type RunFilter = {
  statuses?: readonly RunStatus[] | undefined;
  reviewState?: ReviewState | undefined;
  runType?: RunType | undefined;
  /** Only runs that gate something, or would. */
  isGated?: true | undefined;
};

export type RunPart = { limit: number; offset: number };

export type RunWithSuite = Run & {
  testSuite: { id: string; name: string; baseUrl: string };
  resultCount: number;
};
