import type { ReviewState, Run, RunStatus, RunType } from './run.ts';

/** The runs of a list before any filter: of the suites that the viewer with that id may read, or of one suite. */
export type RunScope = { readableBy: string } | { testSuiteId: string };

export type RunFilter = {
  statuses?: readonly RunStatus[] | undefined;
  reviewState?: ReviewState | undefined;
  runType?: RunType | undefined;
};

/** A part of a list. */
export type RunPart = { limit: number; offset: number };

export type RunWithSuite = Run & {
  testSuite: { id: string; name: string; baseUrl: string };
  resultCount: number;
};
