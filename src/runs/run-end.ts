import type { Actor } from '../events/event.ts';
import type { RunLogLine } from './log/run-log.ts';
import type { PageResult } from './results/result.ts';
import type { ReviewState, RunMetadata, RunStatus } from './run.ts';

export type RunEnd = {
  from: RunStatus[];
  to: 'COMPLETED' | 'FAILED' | 'CANCELLED';
  metadata: RunMetadata;
  reviewState?: ReviewState;
  /** The person who cancelled it. */
  by?: Actor;
  /** Where they are settled. */
  results?: PageResult[];
  /** The last line of the run's log. */
  line: RunLogLine;
  /** Default: now. */
  at?: Date;
};
