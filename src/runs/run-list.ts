import type { ReviewState, Run, RunStatus, RunType } from './run.ts';

export type RunFilter = {
  testSuiteId?: string | undefined;
  statuses?: readonly RunStatus[] | undefined;
  reviewState?: ReviewState | undefined;
  runType?: RunType | undefined;
};

export type RunWithSuite = Run & {
  testSuite: { id: string; name: string; baseUrl: string };
  resultCount: number;
};
