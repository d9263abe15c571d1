import type { EndReason } from '../runs/end-reason.ts';
import type { PullRequestKey, RunStatus } from '../runs/run.ts';

export type CommitKey = { owner: string; repo: string; headSha: string };

/** A state of a pull request that a run can be made of. */
export type PullRequestHead = PullRequestKey & {
  headSha: string;
  branch: string;
  baseBranch: string;
  installationId: number;
};

/** One attempt at a (suite, pull request, head). */
export type PullRequestRun = PullRequestHead & {
  id: string;
  testSuiteId: string;
  status: RunStatus;
  attempt: number;
  /** False until its preview is known and its captures are queued. */
  enqueued: boolean;
  reason: EndReason | null;
  /** Until then it waits for a preview. */
  previewDeadline: Date;
  createdAt: Date;
};

/**
 * What makes room for another attempt at a head that has had one: these ways in which the last one ended, or any end
 * (a person asks to run again). Never while it is in flight.
 */
export type AgainAfter = readonly EndReason[] | 'any end';
